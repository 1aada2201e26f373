import type { Context } from 'koa';
import { AppError, invalidAt } from '../base/errors.ts';
import { stringify } from '../base/json.ts';
import {
  callerScope,
  type EarlierRequest,
  findEarlierRequest,
  forgetRequest,
  type IdempotentRequest,
  markBegun,
  storeAnswer,
  storeOutcome,
} from '../features/requests/idempotency.ts';
import { synced, transact } from '../db/transaction.ts';
import type { App } from '../kernel/app.ts';
import { nodeState } from '../kernel/node.ts';
import type { Caller, Route } from '../kernel/route.ts';
import { errorAnswer, statusOf } from './output/errors.ts';
import { setVersionTag } from './versions.ts';

const headerName = 'Idempotency-Key';
const keyPattern = /^[\x20-\x7e]{1,255}$/;

/**
 * Whether an `Idempotency-Key` has an effect: on each POST that needs credentials and changes something (docs/api/http.md,
 * "Idempotency-Key").
 */
export const isIdempotent = (route: Pick<Route, 'method' | 'access' | 'readOnly'>): boolean =>
  route.method === 'POST' && route.access !== 'public' && route.readOnly !== true;

/**
 * The request's idempotency key and fingerprint, if it has an Idempotency-Key that has an effect.
 * @throws invalid for a key that is empty, too long, or not printable
 */
export function idempotentRequest(
  app: App,
  ctx: Context,
  route: Route,
  caller: Caller,
  body: Buffer | undefined,
): IdempotentRequest | undefined {
  const key = ctx.headers[headerName.toLowerCase()];
  if (key === undefined || !isIdempotent(route)) return undefined;
  if (typeof key !== 'string' || !keyPattern.test(key)) {
    throw invalidAt(headerName, 'must have 1 to 255 printable ASCII characters');
  }
  const target = JSON.stringify([route.method, ctx.path.replace(/\/$/, ''), ctx.search]);
  return {
    orgId: caller.orgId,
    caller: callerScope(caller),
    key,
    hash: app.secrets.fingerprint(target, body),
  };
}

const mismatch = (): AppError =>
  new AppError('idempotency_mismatch', `This ${headerName} was used with another request; choose a new one.`);

const inProgress = (): AppError =>
  new AppError(
    'idempotency_in_progress',
    `The first request with this ${headerName} is still running; try again shortly.`,
    { headers: { 'Retry-After': '1' } },
  );

const cutOff = (): AppError =>
  new AppError(
    'conflict',
    `The first request with this ${headerName} was cut off and may have taken effect. ` +
      'Check whether it did; if not, repeat it with a new key.',
  );

const notKept = (): AppError =>
  new AppError(
    'conflict',
    `The first request with this ${headerName} was carried out, and its answer is stored nowhere. ` +
      'If you did not receive it, look at what it changed, and send a new request with a new key if need be.',
  );

export type StoreAnswer = (answer: object) => Promise<void>;
type RunRequest = (store: StoreAnswer) => Promise<object>;

/**
 * Answers a request by running it, or by replaying the stored answer of an earlier one. `run` must store its answer in the transaction
 * of its effects; with `ownTransactions`, its effects are in several transactions.
 */
export type Idempotency = (
  ctx: Context,
  request: IdempotentRequest,
  route: Pick<Route, 'versioned' | 'answersSecret'> & { ownTransactions: boolean },
  run: RunRequest,
) => Promise<void>;

/** The hashes of running requests, by caller and key. */
const hashesInProgress = nodeState('requestsInProgress', () => new Map<string, string>());

/**
 * Running requests are known in memory only: one process owns the data, and after a crash none of them is running. A request with its
 * own transactions may have taken effect before a crash, so it is marked as begun before it runs.
 */
export function createIdempotency(app: App): Idempotency {
  const runningHashes = hashesInProgress(app);
  return async (ctx, request, { versioned, ownTransactions, answersSecret = false }, run) => {
    const scope = `${request.orgId} ${request.caller} ${request.key}`;
    const runningHash = runningHashes.get(scope);
    if (runningHash !== undefined) throw runningHash === request.hash ? inProgress() : mismatch();
    runningHashes.set(scope, request.hash);
    try {
      const earlier = await findEarlierRequest(app, request);
      if (earlier) {
        await synced(app.db);
        return replay(ctx, request, versioned, earlier);
      }
      const runOnce = () => runAndStore(app, ctx, request, answersSecret, run);
      ctx.body = await (ownTransactions ? withBegunMark(app, request, runOnce) : runOnce());
    } finally {
      runningHashes.delete(scope);
    }
  };
}

function replay(
  ctx: Context,
  request: IdempotentRequest,
  versioned: Route['versioned'],
  { hash, outcome }: EarlierRequest,
): void {
  if (hash !== request.hash) throw mismatch();
  if (outcome === 'cut off') throw cutOff();
  if (outcome === 'not kept') throw notKept();
  const { status, body } = outcome();
  ctx.set('Idempotency-Replayed', 'true');
  if (versioned) setVersionTag(ctx, { versioned }, JSON.parse(body) as { data?: unknown });
  ctx.status = status;
  ctx.type = 'application/json';
  ctx.body = body;
}

/** Marks a request as begun while it runs. The mark becomes its answer, or is removed if the request fails with an error that is not stored. */
async function withBegunMark<T>(app: App, request: IdempotentRequest, run: () => Promise<T>): Promise<T> {
  await markBegun(app, request);
  try {
    return await run();
  } catch (error) {
    if (!isStored(statusOf(error))) {
      // On a full disk the mark stays, which is safe: a repetition answers 409 instead of running twice.
      await forgetRequest(app, request).catch((err: unknown) =>
        app.log.warn({ err }, 'could not remove the mark of a failed idempotent request'),
      );
    }
    throw error;
  }
}

/** These say nothing about the request itself: sent again, it may be allowed or arrive in time. */
const unstoredStatuses: ReadonlySet<number> = new Set([401, 403, 408, 429]);
const isStored = (status: number): boolean => status < 500 && !unstoredStatuses.has(status);

async function runAndStore(
  app: App,
  ctx: Context,
  request: IdempotentRequest,
  answersSecret: boolean,
  run: RunRequest,
): Promise<object> {
  try {
    return await run((body) =>
      answersSecret ? storeOutcome(app, request) : storeAnswer(app, request, { status: 200, body: stringify(body) }),
    );
  } catch (error) {
    if (!isStored(statusOf(error))) throw error;
    const { status, body } = errorAnswer(error, String(ctx.state['requestId']), app.log);
    await transact(app.db, request.orgId, () => storeAnswer(app, request, { status, body: JSON.stringify(body) }));
    throw error;
  }
}
