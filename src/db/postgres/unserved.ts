import type { CopySource } from '../copy/tables.ts';
import { installation, transact, type Tx } from '../transaction.ts';
import { endActiveNode } from './active-node.ts';
import { withoutPassword } from '../../base/redact.ts';
import { lastNumbersIn, type LoadOptions, withoutTimeouts } from './load.ts';
import { migrate } from './migrate.ts';
import { databaseOnClient } from './one-client.ts';
import { connect } from './prepare.ts';
import { requireUsable } from './requirements.ts';

export type Unserved = Pick<CopySource, 'lastNumbers'> & { tx: Tx };

/**
 * Runs work in one transaction on a database that no node serves. Until it ends, no other transaction of parley begins there.
 * @throws an Error when a node is active
 */
export async function readUnserved<T>(
  { settings, nowMs, anyServer, version }: LoadOptions,
  work: (unserved: Unserved) => Promise<T>,
): Promise<T> {
  const shown = withoutPassword(settings.url);
  const client = await connect(settings, shown);
  try {
    await requireUsable(client, shown, anyServer);
    await migrate(client, { shown, nowMs, version, onProgress: () => undefined });
    return await transact(databaseOnClient(client, settings), installation, async (tx) => {
      await withoutTimeouts(client);
      await endActiveNode(client, shown);
      return work({ tx, lastNumbers: () => lastNumbersIn(tx) });
    });
  } finally {
    await client.end();
  }
}
