import { copyTables } from '../../db/copy/tables.ts';
import type { SharedPostgres } from '../../db/postgres/background-connection.ts';
import { bindingFor } from '../../db/sqlite/addon.ts';
import { copiedTables, loadFile } from '../../db/sqlite/load.ts';
import { fillWordIndexes } from '../../search/service.ts';
import { databaseFileIn } from '../data-directory.ts';

/** Copies a PostgreSQL database, as it is at one moment, into an SQLite file, which is on disk when this resolves. */
export async function copyPostgres(
  { settings }: SharedPostgres,
  { file, data, now }: { file: string; data: string; now: number },
): Promise<void> {
  const { readSnapshot } = await import('../../db/postgres/snapshot.ts');
  const binding = bindingFor(databaseFileIn(data));
  const tables = await copiedTables(binding);
  await readSnapshot(settings, (source) =>
    loadFile(file, { nowMs: now, binding }, async (loading) => {
      await copyTables(source, loading, tables, () => undefined);
      await fillWordIndexes(loading.tx);
    }),
  );
}
