import { dayMs } from '../../base/clock.ts';
import type { App } from '../../kernel/app.ts';
import type { SealedTable } from '../../kernel/sealed.ts';
import * as store from './store.ts';

/** A request that may be sent twice and must happen once. */
export type IdempotentRequest = {
  orgId: string;
  /** The caller's Idempotency-Key; unique in the organization. */
  key: string;
  /** Of everything that makes it this request: method, path, query and body. */
  hash: string;
};

/** An answer as it goes out: its status, and its body as JSON. */
export type StoredAnswer = { status: number; body: string };

/** How long an answer is kept (contract, section 1). */
export const keptForMs = dayMs;

const contextOf = ({ orgId, key }: Pick<IdempotentRequest, 'orgId' | 'key'>): string =>
  `idempotency_keys:${orgId}:${key}`;

export const sealedAnswers: SealedTable = {
  table: 'idempotency_keys',
  columns: ['body_sealed'],
  key: ['organization_id', 'key'],
  contextOf: (row) => contextOf({ orgId: row['organization_id']!, key: row['key']! }),
};

/** The status of a request that was begun and has no answer yet. */
const begun = 0;

/** An earlier request under the same key. Without an answer it was begun, and cut off before anybody knew what became of it. */
export type Earlier = { hash: string; answer?: () => StoredAnswer };

/** What was asked under this key in the last 24 hours, and answered. */
export async function findEarlierRequest(app: App, request: IdempotentRequest): Promise<Earlier | undefined> {
  const row = await store.idempotencyRow(app.db, request.orgId, request.key);
  if (!row || row.created_at <= app.clock.now() - keptForMs) return undefined;
  const hash = row.request_hash;
  if (row.status === begun) return { hash };
  return { hash, answer: () => ({ status: row.status, body: app.secrets.open(row.body_sealed, contextOf(request)) }) };
}

/** Notes that a request is about to do what no transaction can undo, so that it is not done again after a crash. */
export const markBegun = (app: App, request: IdempotentRequest): Promise<void> =>
  storeAnswer(app, request, { status: begun, body: '' });

/** Forgets a request that was begun and came to nothing. */
export const forgetRequest = (app: App, { orgId, key }: IdempotentRequest): Promise<void> =>
  store.deleteIdempotencyRow(app.db, orgId, key);

/** Keeps the answer to a request: in the transaction that the request is, so that neither stands without the other. */
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
