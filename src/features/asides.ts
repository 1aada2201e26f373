import type { AsideTask } from '../kernel/aside.ts';
import { forgetSome, writePiece, writeSome, writeText } from './knowledge/asides.ts';
import { findAnswers } from './knowledge/retrieval/service.ts';

/** All that is done in the thread beside the one that answers requests. */
export const asideTasks: ReadonlyArray<AsideTask<never, unknown>> = [
  findAnswers,
  writePiece,
  writeText,
  forgetSome,
  writeSome,
];
