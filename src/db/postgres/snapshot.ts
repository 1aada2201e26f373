import type { CopySource } from '../copy/tables.ts';
import type { PostgresSettings } from './address.ts';
import { runAll } from './client.ts';
import { lastNumbersIn, withoutTimeouts } from './load.ts';
import { databaseOnClient } from './one-client.ts';
import { connect } from './prepare.ts';
import { withoutPassword } from '../../base/redact.ts';

/** Reads a database as it is at one moment, on a connection of its own. Others go on to write. */
export async function readSnapshot<T>(
  settings: PostgresSettings,
  read: (source: CopySource) => Promise<T>,
): Promise<T> {
  const client = await connect(settings, withoutPassword(settings.url));
  try {
    await runAll(client, 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    await withoutTimeouts(client);
    const db = databaseOnClient(client, settings);
    return await read({ db, lastNumbers: () => lastNumbersIn(db) });
  } finally {
    await client.end();
  }
}
