import type { JWTPayload } from 'jose';
import { decodeProtectedHeader } from 'jose/decode/protected_header';
import { SignJWT } from 'jose/jwt/sign';
import { jwtVerify } from 'jose/jwt/verify';
import { dateOf } from '../../base/clock.ts';
import { isUuid } from '../../base/ids.ts';
import type { App } from '../../kernel/app.ts';
import { type Caller, type Role, roles } from '../../kernel/route.ts';
import { externalVerifier } from './issuer.ts';
import { organizationExists } from './service.ts';

const issuer = 'parley';
const audience = 'parley';

/**
 * Creates an access token (contract, section 2), signed with the installation's HS256 key. A token that was requested with a token
 * expires no later than that one; otherwise a caller could renew its access forever, even after its API key was revoked.
 */
export async function signToken(
  app: App,
  claims: Pick<Caller, 'subject' | 'orgId' | 'role' | 'tokenExpiresAtSec'>,
): Promise<{ token: string; expiresInSec: number }> {
  const nowSec = Math.floor(app.clock.now() / 1000);
  const expiresInSec = Math.min(app.config.auth.token_ttl_sec, (claims.tokenExpiresAtSec ?? Infinity) - nowSec);
  const token = await new SignJWT({ org_id: claims.orgId, role: claims.role })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setSubject(claims.subject)
    .setIssuer(issuer)
    .setAudience(audience)
    .setIssuedAt(nowSec)
    .setExpirationTime(nowSec + expiresInSec)
    .setJti(app.ids.make())
    .sign(app.secrets.tokenKey);
  return { token, expiresInSec };
}

/**
 * The caller that a token identifies; undefined for every invalid token, because all get the same 401 (interface, Authentication 3).
 * The algorithm in the token's header selects the issuer, so that a key is never used with another issuer's algorithm.
 */
export async function verifyToken(app: App, token: string): Promise<Caller | undefined> {
  try {
    if (decodeProtectedHeader(token).alg === 'HS256') return callerOf(await verifyOwn(app, token));
    const caller = callerOf((await externalVerifier(app)?.(token)) ?? {});
    return caller && (await organizationExists(app.db, caller.orgId)) ? caller : undefined;
  } catch {
    return undefined; // malformed, expired, badly signed, or its key set is out of reach
  }
}

async function verifyOwn(app: App, token: string): Promise<JWTPayload> {
  const { payload } = await jwtVerify(token, app.secrets.tokenKey, {
    algorithms: ['HS256'],
    issuer,
    audience,
    requiredClaims: ['exp', 'sub', 'org_id'],
    currentDate: dateOf(app.clock.now()),
  });
  return payload;
}

function callerOf({ sub, exp, org_id: orgId, role = 'viewer' }: JWTPayload): Caller | undefined {
  if (exp === undefined || typeof orgId !== 'string' || !isUuid(orgId) || !roles.includes(role as Role))
    return undefined;
  return {
    orgId: orgId.toLowerCase(),
    role: role as Role,
    via: 'token',
    subject: String(sub),
    tokenExpiresAtSec: exp,
  };
}
