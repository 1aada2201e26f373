import type { Tx } from '../../db/transaction.ts';
import type { App } from '../../kernel/app.ts';
import type { SealedTable } from '../../kernel/sealed.ts';
import * as store from './endpoint-store.ts';
import { makeSecret } from './signature.ts';

/** A sealed secret opens only as this agent's. */
const contextOf = (agentId: string): string => `webhook_secrets:${agentId}`;

export const sealedWebhookSecrets: SealedTable = {
  table: 'webhook_secrets',
  columns: ['secret_sealed', 'previous_secret_sealed'],
  key: ['agent_id'],
  contextOf: (row) => contextOf(row['agent_id']!),
};

/** The agent's signing secret; made when there is none yet. */
export async function ensureSecret(app: App, tx: Tx, agentId: string): Promise<string> {
  const row = await store.secretOf(tx, agentId);
  if (row) return app.secrets.open(row.secret_sealed, contextOf(agentId));
  const secret = makeSecret();
  await store.putSecret(tx, {
    agent_id: agentId,
    secret_sealed: app.secrets.seal(secret, contextOf(agentId)),
    previous_secret_sealed: null,
    previous_expires_at: null,
  });
  return secret;
}

export type RotatedSecret = { secret: string; previousExpiresAt: number | null };

/** Replaces the agent's secret. With an overlap the one before signs too until then; a still older one dies at once. */
export async function rotateSecret(app: App, tx: Tx, agentId: string, overlapSec: number): Promise<RotatedSecret> {
  const old = await store.secretOf(tx, agentId);
  const secret = makeSecret();
  const previousExpiresAt = old && overlapSec > 0 ? app.clock.now() + overlapSec * 1000 : null;
  await store.putSecret(tx, {
    agent_id: agentId,
    secret_sealed: app.secrets.seal(secret, contextOf(agentId)),
    previous_secret_sealed: old && previousExpiresAt !== null ? old.secret_sealed : null,
    previous_expires_at: previousExpiresAt,
  });
  return { secret, previousExpiresAt };
}

/** What may sign at an instant, the current secret first. */
export function secretsAt(
  app: App,
  sealed: {
    agentId: string;
    secretSealed: string | null;
    previousSecretSealed: string | null;
    previousExpiresAt: number | null;
  },
  at: number,
): string[] {
  if (sealed.secretSealed === null) throw new Error(`agent ${sealed.agentId} has webhooks but no secret`);
  const { previousSecretSealed: previous, previousExpiresAt } = sealed;
  const overlaps = previous !== null && previousExpiresAt !== null && previousExpiresAt > at;
  return [sealed.secretSealed, ...(overlaps ? [previous] : [])].map((text) =>
    app.secrets.open(text, contextOf(sealed.agentId)),
  );
}
