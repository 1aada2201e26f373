import type { Context } from 'koa';
import type { AppError } from '../base/errors.ts';
import { withdrawalsConfirmed } from '../features/calls/withdrawal.ts';
import type { App } from '../kernel/app.ts';
import { hasOwnTransactions, type BodyLimit, type Caller, type Route } from '../kernel/route.ts';
import { watchdogOf, type Work } from '../kernel/watchdog.ts';
import { authenticate, hasRole, recordRefusal, refusalNow, refuseRole, sessionCaller } from './auth.ts';
import { type Idempotency, idempotentRequest } from './idempotency.ts';
import type { BodyReader } from './input/bodies.ts';
import { isForm, type ReceivedFile, type UploadReader } from './input/uploads.ts';
import { answerOf } from './output/envelope.ts';
import { refuseOtherOrigins } from './origin.ts';
import type { RateLimit } from './rate-limit.ts';
import { createOperationRunner, type RequestInput } from './run-operation.ts';
import { parseQuery } from './input/query.ts';
import { whileAllowed } from './reauthorize.ts';

/**
 * Answers the requests of one method and path. `params` holds the decoded values of the path's placeholders. Returns the JSON of the answer,
 * or nothing if it has set `ctx.body`.
 */
export type Handler = (
  ctx: Context,
  params: Readonly<Record<string, string>>,
) => Promise<string | void> | string | void;

export type HandlerOptions = {
  readBody: BodyReader;
  readUpload: UploadReader;
  rateLimit: RateLimit;
  idempotency: Idempotency;
  checkAnswers: boolean;
};

/** The caller of `public` operations without a session. */
const anonymous: Caller = {
  orgId: '',
  role: 'viewer',
  via: 'token',
  identity: 'installation',
  subject: '',
  name: null,
};

/**
 * Turns a route into the function that answers its requests. The order of checks is fixed (docs/api/http.md, "Errors"): 401, 429, 403,
 * 415, 413, 400, then 404 and 409 from the operation.
 */
export function createHandler(app: App, route: Route, options: HandlerOptions): Handler {
  const watchdog = watchdogOf(app);
  const runOperation = createOperationRunner(app, route, options.checkAnswers);
  const stillAllowed = (caller: Caller) => async (): Promise<boolean> =>
    (await refusalNow(app, caller, route)) === undefined;

  async function receiveAndAnswer(ctx: Context, identified: IdentifiedRequest): Promise<string | undefined> {
    const { caller, params, work, mark, refusal } = identified;
    const verifyBody = route.verifySignature?.(app, (name) => ctx.get(name));
    const { bytes, file, release } = await receive(ctx, route, caller.orgId, options);
    try {
      work.size = bytes?.length ?? file?.spool.size() ?? 0;
      mark();
      verifyBody?.(bytes ?? Buffer.alloc(0));
      if (refusal && !(await route.isExemptFromRateLimit?.(app, { body: bytes, ip: ctx.ip }))) throw refusal;
      const input = { caller, params, bytes, file, mark, stillAllowed: stillAllowed(caller) };
      const onRefused = (): Promise<void> => recordRefusal(app, ctx, caller, route);
      const answered = await whileAllowed(app, caller, route, () => answer(ctx, input), onRefused);
      if (route.forbidsCalls) await withdrawalsConfirmed(app, caller.orgId);
      return answered;
    } finally {
      await release?.();
    }
  }

  async function answer(ctx: Context, input: RequestInput): Promise<string | undefined> {
    const { caller, bytes, file } = input;
    const idempotent = idempotentRequest(app, ctx, route, caller, bytes ?? (file && fileDigest(file)));
    if (!idempotent) return answerOf(ctx, await runOperation(ctx, input));
    const handling = { ...route, ownTransactions: hasOwnTransactions(route, bytes?.length ?? 0) };
    await options.idempotency(ctx, idempotent, handling, (storeAnswer) => runOperation(ctx, input, storeAnswer));
    return undefined;
  }

  return async (ctx, params) => {
    ctx.state['operation'] = route.operationId;
    const work: Work = { kind: 'operation', name: route.operationId, size: 0 };
    const mark = (): void => watchdog.mark(work);
    mark();
    // Awaits only a promise, here and in the operation: each `await` slows a small read down.
    const identified = callerOf(app, ctx, route);
    const caller = identified instanceof Promise ? await identified : identified;
    const refusal = countRequest(ctx, route, caller, options.rateLimit);
    if (refusal && !route.isExemptFromRateLimit) throw refusal;
    if (!hasRole(caller, route) && !isAllowedLesser(ctx, caller, route)) await refuseRole(app, ctx, caller, route);
    if (!isPlainRead(route)) return receiveAndAnswer(ctx, { caller, params, work, mark, refusal });
    return answerOf(ctx, await runOperation(ctx, { caller, params, mark, stillAllowed: stillAllowed(caller) }));
  };
}

/** Whether the caller has the lesser role that is enough for this query. */
function isAllowedLesser(ctx: Context, caller: Caller, { access, lesserRole: lesser }: Route): boolean {
  if (!lesser || !hasRole(caller, { access, role: lesser.role })) return false;
  const query = Object.entries(parseQuery(ctx.request.querystring));
  return lesser.allows(Object.fromEntries(query.map(([name, value]) => [name, [value ?? []].flat()])));
}

/** Whether the operation can run as soon as the caller is known: requests have no body, signature, exemption or idempotency key. */
const isPlainRead = ({ method, body, upload, formFile, verifySignature, isExemptFromRateLimit }: Route): boolean =>
  method === 'GET' && !body && !upload && !formFile && !verifySignature && !isExemptFromRateLimit;

/** A request whose caller is known and whose body has not been read. */
type IdentifiedRequest = {
  caller: Caller;
  params: Readonly<Record<string, string>>;
  work: Work;
  mark: () => void;
  refusal: AppError | undefined;
};

function callerOf(app: App, ctx: Context, route: Route): Caller | Promise<Caller> {
  return route.access === 'public' ? publicCaller(app, ctx, route) : authenticate(app, ctx, route.access);
}

async function publicCaller(app: App, ctx: Context, { session }: Route): Promise<Caller> {
  if (session === undefined) return anonymous;
  if (session === 'opens') refuseOtherOrigins(app, ctx);
  return (await sessionCaller(app, ctx)) ?? anonymous;
}

/**
 * Counts a request against the rate limit: with credentials against its caller, a signed one not at all, any other against the client's
 * address.
 */
function countRequest(ctx: Context, route: Route, caller: Caller, limit: RateLimit): AppError | undefined {
  if (route.access !== 'public') return limit.ofCaller(ctx, caller);
  return route.verifySignature ? undefined : limit.ofAddress(ctx, 'operation');
}

/** The body of a request: either bytes or a file, or neither. `release` frees its memory or disk space. */
type Received = { bytes?: Buffer; file?: ReceivedFile; release?: () => Promise<void> | void };

async function receive(
  ctx: Context,
  route: Route,
  owner: string,
  { readBody, readUpload }: HandlerOptions,
): Promise<Received> {
  const { body, upload, formFile } = route;
  if (formFile && isForm(ctx)) return receivedFile(await readUpload.form(ctx, owner));
  if (upload) return receivedFile(await readUpload.direct(ctx, upload, owner));
  if (!body && !formFile) return {};
  return (await readBody(ctx, { limit: bodyLimitOf(route), orForm: formFile !== undefined, owner })) ?? {};
}

const receivedFile = (file: ReceivedFile): Received => ({ file, release: () => file.spool.close() });

const bodyLimitOf = ({ access, verifySignature, bodyLimit = 'json' }: Route): BodyLimit =>
  access === 'public' && !verifySignature ? 'public' : bodyLimit;

/** Identifies a file for idempotency, by its content and its name. */
const fileDigest = ({ spool, name }: ReceivedFile): Buffer => Buffer.concat([spool.digest(), Buffer.from(name ?? '')]);
