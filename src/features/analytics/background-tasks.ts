import { backgroundRead } from '../../kernel/background.ts';
import { type FigureQuery, figuresOf, type GroupFigures, largestGroups } from './store.ts';
import { type OffsetSpan } from './steps.ts';

type Summation = Omit<FigureQuery, 'span' | 'groups'> & {
  /** Stretches with one UTC offset each, without gaps. */
  spans: readonly OffsetSpan[];
  /** Groups beyond this many are summed as `other`. */
  maxGroups: number;
};

/** The figures of each group and local step of some stretches. Adding up those of months takes tens of milliseconds. */
export const sumFigures = backgroundRead(
  'analytics.sum',
  async ({ db }, { spans, maxGroups, ...query }: Summation): Promise<Array<GroupFigures & { span: OffsetSpan }>> => {
    const whole = { from: spans[0]!.from, to: spans.at(-1)!.to };
    const groups = await largestGroups(db, { ...query, span: whole }, maxGroups);
    const found: Array<GroupFigures & { span: OffsetSpan }> = [];
    for (const span of spans)
      for (const group of await figuresOf(db, { ...query, span, groups })) found.push({ ...group, span });
    return found;
  },
);
