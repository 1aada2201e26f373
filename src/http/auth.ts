import type { Context } from 'koa';
import { AppError } from '../base/errors.ts';
import { callerOfApiKey } from '../features/organizations/service.ts';
import { verifyToken } from '../features/organizations/tokens.ts';
import type { App } from '../kernel/app.ts';
import type { Caller } from '../kernel/route.ts';

/** What stands after `Bearer`, if anything does. */
export const bearerOf = (ctx: Context): string | undefined => /^Bearer +(\S+)$/i.exec(ctx.get('authorization'))?.[1];

/**
 * Who calls (contract, section 2). A route that the interface marks Bearer takes only a token; all others take either. Every
 * failure is the same codeless 401.
 */
export async function authenticate(app: App, ctx: Context, access: 'any' | 'bearer'): Promise<Caller> {
  const token = bearerOf(ctx);
  const key = ctx.get('x-api-key');
  if (token !== undefined) {
    const caller = await verifyToken(app, token);
    if (caller) return caller;
    throw refused('The access token is invalid or has expired.', 'Bearer error="invalid_token"');
  }
  if (access === 'bearer') throw refused('An access token is needed: Authorization: Bearer <token>.', 'Bearer');
  if (key === '') throw refused('An API key is needed: X-Api-Key: <key>.', 'ApiKey, Bearer');
  const caller = await callerOfApiKey(app, key);
  if (caller) return caller;
  throw refused('The API key is unknown, revoked or expired.', 'ApiKey');
}

const refused = (message: string, challenge: string): AppError =>
  new AppError('unauthenticated', message, { headers: { 'WWW-Authenticate': challenge } });
