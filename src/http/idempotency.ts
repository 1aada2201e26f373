import { createHash } from 'node:crypto';
import type { Context } from 'koa';
import { AppError, invalidAt } from '../base/errors.ts';
import { begin, forget, keep, type KeptAnswer, type OnceRequest, recall } from '../features/requests/idempotency.ts';
import type { App } from '../kernel/app.ts';
import type { Caller, Route } from '../kernel/route.ts';
import { errorAnswer, isOurFault } from './output/errors.ts';

const headerName = 'Idempotency-Key';
const keyPattern = /^[\x20-\x7e]{1,255}$/;

/**
 * The request as one that must happen once, when its caller asks for that: with an Idempotency-Key on a POST that needs a key or
 * token (contract, section 1).
 * @throws invalid for a key that is empty, too long, or not printable
 */
export function onceRequest(
  ctx: Context,
  route: Route,
  caller: Caller,
  body: Buffer | undefined,
): OnceRequest | undefined {
  const key = ctx.headers[headerName.toLowerCase()];
  if (key === undefined || route.method !== 'POST' || route.access === 'public') return undefined;
  if (typeof key !== 'string' || !keyPattern.test(key)) {
    throw invalidAt(headerName, 'must have 1 to 255 printable ASCII characters');
  }
  const path = ctx.path.replace(/\/$/, '');
  const hash = createHash('sha256')
    .update(JSON.stringify([route.method, path, ctx.search]))
    .update(body ?? '');
  return { orgId: caller.orgId, key, hash: hash.digest('hex') };
}

const mismatch = (): AppError =>
  new AppError('idempotency_mismatch', `This ${headerName} was used with another request; choose a new one.`);

const inProgress = (): AppError =>
  new AppError('idempotency_in_progress', `The first request with this ${headerName} is still running; ask again.`, {
    headers: { 'Retry-After': '1' },
  });

const cutOff = (): AppError =>
  new AppError(
    'conflict',
    `The first request with this ${headerName} was cut off and may have taken effect; look, and if it has not, use a new key.`,
  );

export type Attempt = (keepAnswer: (body: object) => Promise<void>) => Promise<object>;

/** Answers with what an attempt makes, or with what was kept of an earlier one. `detached`: the attempt is not one transaction. */
export type Once = (ctx: Context, request: OnceRequest, detached: boolean, attempt: Attempt) => Promise<void>;

/**
 * Lets a request happen once. `attempt` keeps its answer in the transaction of what it does; a refusal (4xx) is kept here. What is
 * still running is known in memory only: one process owns the data, and after a crash nothing runs that a key could wait for. A
 * detached attempt may have done its work before a crash, so it is noted before it begins.
 */
export function createOnce(app: App): Once {
  const running = new Map<string, string>();
  return async (ctx, request, detached, attempt) => {
    const scope = `${request.orgId} ${request.key}`;
    const hashRunning = running.get(scope);
    if (hashRunning !== undefined) throw hashRunning === request.hash ? inProgress() : mismatch();
    running.set(scope, request.hash);
    try {
      const attempting = () => attemptAndKeep(app, ctx, request, attempt);
      const earlier = await recall(app, request);
      if (!earlier) {
        ctx.body = await (detached ? noting(app, request, attempting) : attempting());
      } else if (earlier.hash !== request.hash) throw mismatch();
      else if (earlier.answer) replay(ctx, earlier.answer());
      else throw cutOff();
    } finally {
      running.delete(scope);
    }
  };
}

function replay(ctx: Context, { status, body }: KeptAnswer): void {
  ctx.set('Idempotency-Replayed', 'true');
  ctx.status = status;
  ctx.type = 'application/json';
  ctx.body = body;
}

/** Lets an attempt be known before it begins, until it has an answer or has failed. */
async function noting<T>(app: App, request: OnceRequest, attempting: () => Promise<T>): Promise<T> {
  await begin(app, request);
  try {
    return await attempting();
  } catch (error) {
    // A disk that is full now leaves the note there, which is the safe side.
    if (isOurFault(error)) await forget(app, request).catch((err) => app.log.warn({ err }, 'a request stays noted'));
    throw error;
  }
}

async function attemptAndKeep(app: App, ctx: Context, request: OnceRequest, attempt: Attempt): Promise<object> {
  try {
    return await attempt((body) => keep(app, request, { status: 200, body: JSON.stringify(body) }));
  } catch (error) {
    // What failed through no fault of the caller's may succeed the next time.
    if (isOurFault(error)) throw error;
    const { status, body } = errorAnswer(error, String(ctx.state['requestId']), app.log);
    await keep(app, request, { status, body: JSON.stringify(body) });
    throw error;
  }
}
