import { type Selectable, sql } from 'kysely';
import type { WebhookSecretsTable } from '../../db/schema.generated.ts';
import type { Queryable, Tx } from '../../db/transaction.ts';

type SecretRow = Selectable<WebhookSecretsTable>;

export const secretOf = (db: Queryable, agentId: string): Promise<SecretRow | undefined> =>
  db.selectFrom('webhook_secrets').selectAll().where('agent_id', '=', agentId).executeTakeFirst();

/** Stores an agent's first secret, or replaces it. */
export async function putSecret(tx: Tx, row: SecretRow): Promise<void> {
  const { agent_id: _agentId, ...secrets } = row;
  await tx
    .insertInto('webhook_secrets')
    .values(row)
    .onConflict((conflict) => conflict.column('agent_id').doUpdateSet(secrets))
    .execute();
}

/** Deletes the secrets of deleted agents that have no endpoints left, and so no deliveries that could be sent again. */
export async function deleteUnusedSecrets(tx: Tx): Promise<void> {
  await sql`
    DELETE FROM webhook_secrets WHERE agent_id NOT IN (SELECT id FROM agents)
    AND agent_id NOT IN (SELECT agent_id FROM webhook_endpoints)
  `.execute(tx);
}
