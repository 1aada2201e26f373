import { conflict, notFound } from '../../../base/errors.ts';
import { transact, type Tx, unguarded } from '../../../db/transaction.ts';
import type { App } from '../../../kernel/app.ts';
import { nodeState } from '../../../kernel/node.ts';
import * as store from './kept-rows-store.ts';
import { retentionMs } from './kept-rows.ts';
import type { ColumnReport } from './columns.ts';

export const importStates = ['running', 'done', 'stopped'] as const;
export type ImportState = (typeof importStates)[number];

export type ImportProgress = store.ProgressOfImport & { state: ImportState };

const taken = () => conflict('An import with this import_id exists already.');

const running = nodeState('runningImports', () => new Set<string>());
const nameOf = ({ orgId, id }: store.ImportKey): string => `${orgId} ${id}`;

/**
 * Runs an import under an id that no other import of the organization has.
 * @throws conflict when the id is taken
 */
export async function underId<T>(app: App, key: store.ImportKey, run: () => Promise<T>): Promise<T> {
  const names = running(app);
  const name = nameOf(key);
  if (names.has(name)) throw taken();
  names.add(name);
  try {
    if (await store.isTaken(app.db, key)) throw taken();
    return await run();
  } finally {
    names.delete(name);
  }
}

type Begun = store.ImportKey & { columns: readonly ColumnReport[] };

/** Records that an import has begun, in the transaction of its first batch. */
export function recordImport(app: App, tx: Tx, { id, orgId, columns }: Begun): Promise<void> {
  const header = columns.map(({ name }) => name);
  return store.insertImport(tx, { id, orgId, header, startedAt: app.clock.now() });
}

/** Records what an import has done so far, in the transaction of each batch. */
export const recordProgress = (app: App, tx: Tx, key: store.ImportKey, counts: store.ImportCounters): Promise<void> =>
  store.updateImport(tx, key, { ...counts, at: app.clock.now() });

/** Records that an import has ended, also for a sender who may not write any more. */
export const recordEnd = (app: App, key: store.ImportKey & { isDone: boolean }): Promise<void> =>
  unguarded(() => transact(app.db, key.orgId, (tx) => store.endImport(tx, { ...key, at: app.clock.now() })));

/**
 * What an import has done so far. One that a crash of the server ended is `stopped`, too, at its last batch.
 * @throws notFound when the organization had no such import in the last day, or its first batch is not written yet
 */
export async function progressOf(app: App, orgId: string, id: string): Promise<ImportProgress> {
  const found = await store.progressOf(app.db, { id, orgId, after: app.clock.now() - retentionMs });
  if (!found) throw notFound('import of the last 24 hours');
  if (found.isDone) return { ...found, state: 'done' };
  const isRunning = running(app).has(nameOf({ orgId, id }));
  return { ...found, state: isRunning ? 'running' : 'stopped', endedAt: isRunning ? null : found.endedAt };
}
