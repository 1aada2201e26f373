import { dayMs } from '../../base/clock.ts';
import type { App } from '../../kernel/app.ts';
import type { SealedTable } from '../../kernel/sealed.ts';
import * as store from './store.ts';

/** A request with an Idempotency-Key: it may be sent twice and must take effect once. */
export type IdempotentRequest = {
  orgId: string;
  /** The caller's Idempotency-Key. */
  key: string;
  /** Hash of the method, path, query and body. */
  hash: string;
};

/** An answer as it was sent: its status, and its body as JSON. */
export type StoredAnswer = { status: number; body: string };

/** How long an answer is replayed (contract, section 1). */
export const answerRetentionMs = dayMs;

const contextOf = ({ orgId, key }: Pick<IdempotentRequest, 'orgId' | 'key'>): string =>
  `idempotency_keys:${orgId}:${key}`;

export const sealedAnswers: SealedTable = {
  table: 'idempotency_keys',
  columns: ['body_sealed'],
  key: ['organization_id', 'key'],
  contextOf: (row) => contextOf({ orgId: row['organization_id']!, key: row['key']! }),
};

/** Stored as the status of a request that has started and has no answer yet. */
const unanswered = 0;

/** An earlier request with the same key. Without an answer, the process died before its outcome was known. */
export type EarlierRequest = { hash: string; answer?: () => StoredAnswer };

/** The request that used this key in the last 24 hours. */
export async function findEarlierRequest(app: App, request: IdempotentRequest): Promise<EarlierRequest | undefined> {
  const row = await store.idempotencyRow(app.db, request.orgId, request.key);
  if (!row || row.created_at <= app.clock.now() - answerRetentionMs) return undefined;
  const hash = row.request_hash;
  if (row.status === unanswered) return { hash };
  return { hash, answer: () => ({ status: row.status, body: app.secrets.open(row.body_sealed, contextOf(request)) }) };
}

/** Records that a request is about to do something that a rollback cannot undo, so that it is not repeated after a crash. */
export const markBegun = (app: App, request: IdempotentRequest): Promise<void> =>
  storeAnswer(app, request, { status: unanswered, body: '' });

/** Deletes the record of a request that failed without any effect, so that it may be sent again. */
export const forgetRequest = (app: App, { orgId, key }: IdempotentRequest): Promise<void> =>
  store.deleteIdempotencyRow(app.db, orgId, key);

/** Stores the answer to a request. Call it in the request's transaction, so that both commit or neither does. */
export function storeAnswer(app: App, request: IdempotentRequest, { status, body }: StoredAnswer): Promise<void> {
  return store.putIdempotencyRow(app.db, {
    organization_id: request.orgId,
    key: request.key,
    request_hash: request.hash,
    status,
    body_sealed: app.secrets.seal(body, contextOf(request)),
    created_at: app.clock.now(),
  });
}
