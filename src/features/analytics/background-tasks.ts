import { backgroundRead } from '../../kernel/background.ts';
import { type FigureQuery, figuresOf, type GroupFigures } from './store.ts';

/** Adding up the figures of months takes tens of milliseconds. */
export const sumFigures = backgroundRead('analytics.sum', ({ db }, query: FigureQuery): Promise<GroupFigures[]> =>
  figuresOf(db, query),
);
