import type { Context } from 'koa';
import { AppError } from '../base/errors.ts';
import { identifyApiKey, recentApiKey } from '../features/organizations/service.ts';
import { sessionSecretsIn } from '../features/organizations/sessions/cookie.ts';
import { callerOf, recordUse, type Session, sessionOf } from '../features/organizations/sessions/service.ts';
import { roleNow, verifyToken } from '../features/organizations/tokens.ts';
import { actorOf } from '../features/requests/audit.ts';
import { appendSummed } from '../features/requests/audit-summary.ts';
import type { App } from '../kernel/app.ts';
import { type Access, type Caller, lesserRole } from '../kernel/route.ts';
import { isFromOwnPage, otherOrigin } from './origin.ts';
import type { Endpoint } from './routes.ts';

/** The token of an `Authorization: Bearer` header, if there is one. */
export const bearerToken = (ctx: Context): string | undefined => /^Bearer +(\S+)$/i.exec(ctx.get('authorization'))?.[1];

/**
 * Identifies the caller by access token, API key or session (docs/api/access.md). Every failure is a 401 without a code.
 * @throws unauthenticated without credentials that count for `access`
 * @throws forbidden for a session on a method that may change something, unless a page of this server sent the request
 */
export function authenticate(app: App, ctx: Context, access: Exclude<Access, 'public'>): Caller | Promise<Caller> {
  const { 'x-api-key': key, authorization } = ctx.req.headers;
  const isByKey = access === 'any' && typeof key === 'string' && authorization === undefined;
  // The caller of a key that was used within the last minute is known without awaiting, which would slow a small read down.
  return (isByKey && recentApiKey(app, key)) || identifyAndRecordUse(app, ctx, access);
}

async function identifyAndRecordUse(app: App, ctx: Context, access: Exclude<Access, 'public'>): Promise<Caller> {
  const { caller, recordUse: record } = await identify(app, ctx, access);
  await record?.();
  return caller;
}

type Identified = { caller: Caller; recordUse?: () => Promise<void> };

async function identify(app: App, ctx: Context, access: Exclude<Access, 'public'>): Promise<Identified> {
  const session = await sessionIn(app, ctx);
  if (session) {
    if (!isRead(ctx) && !isFromOwnPage(app, ctx)) throw otherOrigin();
    return { caller: callerOf(session), recordUse: () => recordUse(app, session) };
  }
  if (access === 'session')
    throw unauthenticated('This needs a session: log in with POST /api/v1/session, which sets a cookie.', 'Session');
  const token = bearerToken(ctx);
  if (token !== undefined) {
    const caller = await verifyToken(app, token);
    if (caller) return { caller };
    throw invalidToken();
  }
  if (access === 'bearer')
    throw unauthenticated('An access token is required: Authorization: Bearer <token>.', 'Bearer');
  const key = ctx.get('x-api-key');
  if (key === '') throw unauthenticated(missingKey(app, ctx), 'ApiKey, Bearer');
  const identified = await identifyApiKey(app, key);
  if (identified) return identified;
  throw invalidKey();
}

const missingKey = (app: App, { headers }: Context): string =>
  sessionSecretsIn(app, headers.cookie).length > 0
    ? 'The session has ended; log in again.'
    : 'An API key is required: X-Api-Key: <key>.';

const isRead = ({ method }: Context): boolean => method === 'GET' || method === 'HEAD';

/** The person of a request's session, for operations that need no credentials. */
export async function sessionCaller(app: App, ctx: Context): Promise<Caller | undefined> {
  const session = await sessionIn(app, ctx);
  if (!session) return undefined;
  await recordUse(app, session);
  return callerOf(session);
}

/** The session of a request. A cookie is ignored if the request has other credentials, because browsers add it without being asked. */
async function sessionIn(app: App, { headers }: Context): Promise<Session | undefined> {
  if (headers['x-api-key'] !== undefined || headers.authorization !== undefined) return undefined;
  return sessionOf(app, sessionSecretsIn(app, headers.cookie));
}

type Guarded = Pick<Endpoint, 'operationId' | 'access' | 'role'>;

/** Whether a caller may use an operation. */
export const hasRole = (caller: Caller, { access, role }: Pick<Guarded, 'access' | 'role'>): boolean =>
  access === 'public' || lesserRole(caller.role, role) === role;

/** Why a caller may not, or no longer, use an operation; undefined when they may. */
export async function refusalNow(app: App, caller: Caller, guardedBy: Guarded): Promise<AppError | undefined> {
  if (guardedBy.access === 'public') return undefined;
  const role = await roleNow(app, caller);
  if (role === undefined) return noLongerValid(caller);
  const now = { ...caller, role };
  return hasRole(now, guardedBy) ? undefined : roleTooLow(now, guardedBy);
}

const roleTooLow = ({ via, role: has }: Caller, { role }: Guarded): AppError =>
  new AppError(
    'forbidden',
    `This needs the role ${role}; ${via === 'session' ? 'you have' : 'the key or token has'} the role ${has}.`,
  );

const noLongerValid = ({ via }: Caller): AppError =>
  ({
    session: unauthenticated('The session has ended; log in again.', 'Session'),
    token: invalidToken(),
    api_key: invalidKey(),
  })[via];

/**
 * Refuses a caller whose role is lower than the operation requires.
 * @throws forbidden always
 */
export async function refuseRole(app: App, ctx: Context, caller: Caller, operation: Guarded): Promise<never> {
  await recordRefusal(app, ctx, caller, operation);
  throw roleTooLow(caller, operation);
}

/**
 * Records that a caller was refused. Refusals go to the audit log; repeated ones of the same caller and operation are counted in one
 * entry.
 */
export const recordRefusal = (app: App, ctx: Context, caller: Caller, { operationId }: Guarded): Promise<void> =>
  appendSummed(app, `${operationId} ${caller.orgId} ${caller.identity}:${caller.subject}`, {
    orgId: caller.orgId,
    actor: actorOf(caller),
    operation: `${operationId}.refused`,
    target: {},
    requestId: String(ctx.state['requestId']),
    ip: ctx.ip,
  });

const invalidToken = (): AppError =>
  unauthenticated('The access token is invalid or has expired.', 'Bearer error="invalid_token"');

const invalidKey = (): AppError => unauthenticated('The API key is unknown, revoked or expired.', 'ApiKey');

const unauthenticated = (message: string, challenge: string): AppError =>
  new AppError('unauthenticated', message, { headers: { 'WWW-Authenticate': challenge } });
