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
 * Makes an access token (contract, section 2): HS256 with this installation's own key. One that is asked for with a token ends when
 * that one does, or a single one could be renewed for ever, whatever became of the key behind it.
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
 * The caller a token speaks for, or undefined for any fault: the answer is the same 401 (interface, Authentication 3). A token's
 * algorithm chooses who can have made it, so that no key is ever used for another's algorithm.
 */
export async function verifyToken(app: App, token: string): Promise<Caller | undefined> {
  try {
    if (decodeProtectedHeader(token).alg === 'HS256') return callerOf(await verifyOwn(app, token));
    const caller = callerOf((await externalVerifier(app)?.(token)) ?? {});
    return caller && (await organizationExists(app.db, caller.orgId)) ? caller : undefined;
  } catch {
    return undefined; // whatever is wrong with it, it proves nothing
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
