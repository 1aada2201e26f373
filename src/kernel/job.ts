import type { Scope } from '../db/transaction.ts';

/** A job as the runner runs it. `P` is the type of its payload. */
export type Job<P> = {
  id: number;
  kind: string;
  key: string;
  /** The organization or named scope whose data it changes; its results are written in a transaction of this scope. */
  scope: Scope;
  lane: string | null;
  exclusive: string | null;
  dueAt: number;
  /** 1 at the first claim; one more after each failure, and after the process died with the job claimed, whether or not the job had run. */
  attempt: number;
  payload: P;
};
