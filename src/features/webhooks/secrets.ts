import type { Tx } from '../../db/transaction.ts';
import type { App } from '../../kernel/app.ts';
import type { EncryptedTable } from '../../kernel/encrypted-table.ts';
import * as store from './secret-store.ts';
import { makeSecret } from './signature.ts';

/** Binds an encrypted secret to its agent, so that it cannot be decrypted for any other row. */
const encryptionContext = (agentId: string): string => `webhook_secrets:${agentId}`;

export const encryptedWebhookSecrets: EncryptedTable = {
  table: 'webhook_secrets',
  columns: ['secret_sealed', 'previous_secret_sealed'],
  key: ['agent_id'],
  contextOf: (row) => encryptionContext(row['agent_id']!),
};

/** The agent's signing secret, created if it has none yet. */
export async function ensureSecret(app: App, tx: Tx, agentId: string): Promise<string> {
  const row = await store.secretOf(tx, agentId);
  if (row) return app.secrets.decrypt(row.secret_sealed, encryptionContext(agentId));
  const secret = makeSecret();
  await store.putSecret(tx, {
    agent_id: agentId,
    secret_sealed: app.secrets.encrypt(secret, encryptionContext(agentId)),
    previous_secret_sealed: null,
    previous_expires_at: null,
  });
  return secret;
}

export type RotatedSecret = { secret: string; previousExpiresAt: number | null };

/** When the previous secret of an agent stops signing; null if none signs at this instant. */
export async function previousExpiryOf(tx: Tx, agentId: string, at: number): Promise<number | null> {
  const expiresAt = (await store.secretOf(tx, agentId))?.previous_expires_at ?? null;
  return expiresAt !== null && expiresAt > at ? expiresAt : null;
}

/** Replaces the agent's secret. The previous secret signs too until the overlap ends; secrets before it stop signing immediately. */
export async function rotateSecret(app: App, tx: Tx, agentId: string, overlapSec: number): Promise<RotatedSecret> {
  const old = await store.secretOf(tx, agentId);
  const secret = makeSecret();
  const previousExpiresAt = old && overlapSec > 0 ? app.clock.now() + overlapSec * 1000 : null;
  await store.putSecret(tx, {
    agent_id: agentId,
    secret_sealed: app.secrets.encrypt(secret, encryptionContext(agentId)),
    previous_secret_sealed: old && previousExpiresAt !== null ? old.secret_sealed : null,
    previous_expires_at: previousExpiresAt,
  });
  return { secret, previousExpiresAt };
}

/**
 * The secrets that sign at an instant: the current one, then the previous one while its overlap lasts.
 * @throws Error when the agent has no secret, or a secret cannot be decrypted
 */
export function signingSecretsAt(
  app: App,
  secrets: {
    agentId: string;
    encryptedSecret: string | null;
    encryptedPreviousSecret: string | null;
    previousExpiresAt: number | null;
  },
  at: number,
): string[] {
  if (secrets.encryptedSecret === null) throw new Error(`agent ${secrets.agentId} has webhooks but no secret`);
  const { encryptedPreviousSecret: previous, previousExpiresAt } = secrets;
  const overlaps = previous !== null && previousExpiresAt !== null && previousExpiresAt > at;
  return [secrets.encryptedSecret, ...(overlaps ? [previous] : [])].map((encrypted) =>
    app.secrets.decrypt(encrypted, encryptionContext(secrets.agentId)),
  );
}
