import { dayMs, nextMacrotask } from '../../base/clock.ts';
import { transact } from '../../db/transaction.ts';
import type { App } from '../../kernel/app.ts';
import type { Caller } from '../../kernel/route.ts';
import type { EncryptedTable } from '../../kernel/encrypted-table.ts';
import * as store from './store.ts';

/** A request with an Idempotency-Key: it may be sent twice and must take effect once. */
export type IdempotentRequest = {
  orgId: string;
  /** The caller of the request (`callerScope`). */
  caller: string;
  /** The caller's Idempotency-Key. */
  key: string;
  /** Keyed hash of the method, path, query and body, which may hold a password. */
  hash: string;
};

/** An answer as it was sent: its status, and its body as JSON. */
export type StoredAnswer = { status: number; body: string };

/** How long an answer is replayed. */
export const answerRetentionMs = dayMs;

/**
 * Identifies to whom a stored answer belongs: the API key or user, and the role. So nobody gets an answer that was made for someone else,
 * or for rights that the same caller no longer has.
 */
export const callerScope = ({ identity, subject, role }: Pick<Caller, 'identity' | 'subject' | 'role'>): string =>
  `${identity}:${subject}:${role}`;

const rowKeyOf = ({
  orgId,
  caller,
  key,
}: Pick<IdempotentRequest, 'orgId' | 'caller' | 'key'>): store.IdempotencyKey => ({
  organization_id: orgId,
  caller,
  key,
});

const contextOf = (row: store.IdempotencyKey): string =>
  `idempotency_keys:${row.organization_id}:${row.caller}:${row.key}`;

export const encryptedAnswers: EncryptedTable = {
  table: 'idempotency_keys',
  columns: ['body_sealed'],
  key: ['organization_id', 'caller', 'key'],
  contextOf: (row) => contextOf(row as store.IdempotencyKey),
};

/** Stored as the status of a request that has started and has no answer yet. */
const unanswered = 0;

/**
 * An earlier request with the same key. `cut off`: the process died before its outcome was known. `not kept`: it was carried out, but
 * its answer is never shown again.
 */
export type EarlierRequest = { hash: string; outcome: 'cut off' | 'not kept' | (() => StoredAnswer) };

/** The request that used this key in the last 24 hours; undefined if there was none. */
export async function findEarlierRequest(app: App, request: IdempotentRequest): Promise<EarlierRequest | undefined> {
  const row = await store.idempotencyRow(app.db, rowKeyOf(request));
  if (!row || row.created_at <= app.clock.now() - answerRetentionMs) return undefined;
  const { request_hash: hash, status, body_sealed: encryptedBody } = row;
  if (status === unanswered) return { hash, outcome: 'cut off' };
  if (encryptedBody === null) return { hash, outcome: 'not kept' };
  return { hash, outcome: () => ({ status, body: app.secrets.decrypt(encryptedBody, contextOf(row)) }) };
}

/** Records that a request is about to do something that a rollback cannot undo, so that it is not repeated after a crash. */
export const markBegun = (app: App, request: IdempotentRequest): Promise<void> => put(app, request, unanswered, null);

/** Deletes the record of a request that failed without any effect, so that it may be sent again. */
export const forgetRequest = (app: App, request: IdempotentRequest): Promise<void> =>
  store.deleteIdempotencyRow(app.db, rowKeyOf(request));

/** Stores the answer to a request. Call it in the request's transaction, so that both commit or neither does. */
export const storeAnswer = (app: App, request: IdempotentRequest, { status, body }: StoredAnswer): Promise<void> =>
  put(app, request, status, app.secrets.encrypt(body, contextOf(rowKeyOf(request))));

/** Records a success without its answer, which holds a secret. */
export const storeOutcome = (app: App, request: IdempotentRequest): Promise<void> => put(app, request, 200, null);

function put(app: App, request: IdempotentRequest, status: number, encryptedBody: string | null): Promise<void> {
  return store.putIdempotencyRow(app.db, {
    ...rowKeyOf(request),
    request_hash: request.hash,
    status,
    body_sealed: encryptedBody,
    created_at: app.clock.now(),
  });
}

/**
 * Forgets the stored answers of an organization in which `mentions` finds somebody. The requests still count as carried out. Returns how
 * many it forgot.
 */
export async function forgetAnswers(app: App, orgId: string, mentions: (body: string) => boolean): Promise<number> {
  let forgotten = 0;
  let after: store.IdempotencyKey | undefined = { organization_id: orgId, caller: '', key: '' };
  while (after) {
    const rows: store.IdempotencyRow[] = await store.answersAfter(app.db, after);
    const found = rows.filter((row) => mentions(app.secrets.decrypt(row.body_sealed!, contextOf(row))));
    if (found.length > 0) await transact(app.db, orgId, (tx) => store.forgetAnswers(tx, found));
    forgotten += found.length;
    after = rows.at(-1);
    await nextMacrotask();
  }
  return forgotten;
}
