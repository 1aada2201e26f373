import type { Context } from 'koa';
import { AppError } from '../base/errors.ts';
import { callerOfApiKey } from '../features/organizations/service.ts';
import { verifyToken } from '../features/organizations/tokens.ts';
import { actorOf } from '../features/requests/audit.ts';
import { appendSummed } from '../features/requests/audit-summary.ts';
import type { App } from '../kernel/app.ts';
import { type Caller, lesserRole } from '../kernel/route.ts';
import type { Endpoint } from './routes.ts';

/** The token of an `Authorization: Bearer` header, if there is one. */
export const bearerToken = (ctx: Context): string | undefined => /^Bearer +(\S+)$/i.exec(ctx.get('authorization'))?.[1];

/**
 * Identifies the caller by access token or API key (contract, section 2); `access: 'bearer'` accepts only a token. Every failure is a
 * 401 without a code.
 */
export async function authenticate(app: App, ctx: Context, access: 'any' | 'bearer'): Promise<Caller> {
  const token = bearerToken(ctx);
  const key = ctx.get('x-api-key');
  if (token !== undefined) {
    const caller = await verifyToken(app, token);
    if (caller) return caller;
    throw unauthenticated('The access token is invalid or has expired.', 'Bearer error="invalid_token"');
  }
  if (access === 'bearer')
    throw unauthenticated('An access token is required: Authorization: Bearer <token>.', 'Bearer');
  if (key === '') throw unauthenticated('An API key is required: X-Api-Key: <key>.', 'ApiKey, Bearer');
  const caller = await callerOfApiKey(app, key);
  if (caller) return caller;
  throw unauthenticated('The API key is unknown, revoked or expired.', 'ApiKey');
}

/**
 * Checks that a caller may use an operation. Refusals go to the audit log; repeated ones of the same caller and operation are counted in
 * one entry.
 * @throws forbidden when the caller's role is lower than the operation requires
 */
export async function requireRole(
  app: App,
  ctx: Context,
  caller: Caller,
  { operationId, access, role }: Pick<Endpoint, 'operationId' | 'access' | 'role'>,
): Promise<void> {
  if (access === 'public' || lesserRole(caller.role, role) === role) return;
  await appendSummed(app, `${operationId} ${caller.orgId} ${caller.identity}:${caller.subject}`, {
    orgId: caller.orgId,
    actor: actorOf(caller),
    operation: `${operationId}.refused`,
    target: {},
    requestId: String(ctx.state['requestId']),
    ip: ctx.ip,
  });
  throw new AppError('forbidden', `This needs the role ${role}; the key or token has the role ${caller.role}.`);
}

const unauthenticated = (message: string, challenge: string): AppError =>
  new AppError('unauthenticated', message, { headers: { 'WWW-Authenticate': challenge } });
