import { type LongRead, runLongRead, runLongReadsOn } from '../db/long-reads.ts';
import type { Queryable } from '../db/transaction.ts';
import type { Background } from './app.ts';
import { backgroundRead } from './background.ts';

export const longReadTask = backgroundRead('long-read', ({ db }, read: LongRead) => runLongRead(db, read));

/** Lets reads of `db` that may take long run on the background thread. */
export const readInBackgroundOf = (db: Queryable, background: Background): void =>
  runLongReadsOn(db, (read, owner) => background.run(longReadTask, read, owner));
