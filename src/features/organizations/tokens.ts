import type { JWTPayload } from 'jose';
import { decodeProtectedHeader } from 'jose/decode/protected_header';
import { decodeJwt } from 'jose/jwt/decode';
import { SignJWT } from 'jose/jwt/sign';
import { jwtVerify } from 'jose/jwt/verify';
import { dateOf, realTimeMs } from '../../base/clock.ts';
import { isUuid } from '../../base/ids.ts';
import type { App } from '../../kernel/app.ts';
import { type Caller, lesserRole, type Role, roles } from '../../kernel/route.ts';
import { externalVerifier } from './issuer.ts';
import { activeUser } from './people/store.ts';
import { organizationExists, roleOfApiKey } from './service.ts';
import { roleOfSession, sessionEnd } from './sessions/service.ts';

const issuer = 'parley';
const audience = 'parley';

/** Longer subjects of another issuer are refused: a subject is kept in the audit log and in memory. */
const maxSubjectLength = 255;

/** The caller with the token in the ready file. Keys and people have UUIDs, so no other caller has this subject. */
export const installationCaller = {
  identity: 'installation',
  subject: 'bootstrap',
  role: 'admin',
  name: null,
} as const;

/**
 * The time that a caller's tokens go by. That of the ready file's is real, also under a test clock: a pipeline that turns the clock by days
 * keeps its access.
 */
const nowFor = (app: App, identity: Caller['identity'] | undefined): number =>
  identity === installationCaller.identity ? realTimeMs() : app.clock.now();

const isOfReadyFile = ({ sub, sub_iss: foreignIssuer }: JWTPayload): boolean =>
  sub === installationCaller.subject && foreignIssuer === undefined;

/**
 * Creates an access token (docs/api/access.md, "Access tokens"), signed with the installation's HS256 key. A token that was requested with
 * a token expires no later than that one; otherwise a caller could renew its access forever. One requested with another issuer's token
 * names that issuer in `sub_iss`, so that its subject is not mistaken for a key or a person of the same id. One requested with a session
 * ends with that session (`sid`).
 */
export async function signToken(
  app: App,
  claims: Pick<Caller, 'identity' | 'subject' | 'orgId' | 'role' | 'tokenExpiresAtSec' | 'sessionId'>,
): Promise<{ token: string; expiresInSec: number }> {
  const nowSec = Math.floor(nowFor(app, claims.identity) / 1000);
  const expiresInSec = Math.min(app.config.auth.token_ttl_sec, (claims.tokenExpiresAtSec ?? Infinity) - nowSec);
  const foreign = claims.identity === 'issuer' ? { sub_iss: app.config.auth.issuer } : {};
  const session = claims.sessionId === undefined ? {} : { sid: claims.sessionId };
  const token = await new SignJWT({
    org_id: claims.orgId,
    role: claims.role,
    ...foreign,
    ...session,
    ...(await disablingsOf(app, claims)),
  })
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

/** Ties a person's token to the time in which it was taken: one from before they were disabled is dead, also when they are enabled again. */
async function disablingsOf(app: App, { identity, orgId, subject }: Pick<Caller, 'identity' | 'orgId' | 'subject'>) {
  const user = identity === 'user' ? await activeUser(app.db, { orgId, id: subject }) : undefined;
  return user && { disabled_count: user.disabled_count };
}

type Verified = { payload: JWTPayload; isOwn: boolean };

/**
 * The caller that a token identifies; undefined for every invalid token, because all get the same 401. Its key or person is looked up at
 * each request, so that a token ends with them and never has more than their current role.
 */
export async function verifyToken(app: App, token: string): Promise<Caller | undefined> {
  const verified = await verifiedClaims(app, token);
  const claims = verified && claimsOf(verified.payload);
  const owner = claims && (await ownerOf(app, verified, claims));
  if (!owner) return undefined;
  return { ...claims, ...owner, role: lesserRole(claims.role, owner.role), via: 'token' };
}

/** The algorithm in the token's header selects the issuer, so that a key is never used with another issuer's algorithm. */
async function verifiedClaims(app: App, token: string): Promise<Verified | undefined> {
  try {
    if (decodeProtectedHeader(token).alg === 'HS256') return { payload: await verifyOwn(app, token), isOwn: true };
    const payload = await externalVerifier(app)?.(token);
    return payload && { payload, isOwn: false };
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
    currentDate: dateOf(nowFor(app, isOfReadyFile(decodeJwt(token)) ? installationCaller.identity : undefined)),
  });
  return payload;
}

type Claims = { orgId: string; role: Role; subject: string; tokenExpiresAtSec: number };

function claimsOf({ sub, exp, org_id: orgId, role = 'viewer' }: JWTPayload): Claims | undefined {
  if (exp === undefined || typeof orgId !== 'string' || !isUuid(orgId) || !roles.includes(role as Role))
    return undefined;
  if (typeof sub !== 'string' || sub === '' || sub.length > maxSubjectLength) return undefined;
  return { orgId: orgId.toLowerCase(), role: role as Role, subject: sub, tokenExpiresAtSec: exp };
}

type Owner = Pick<Caller, 'identity' | 'role' | 'name' | 'sessionId'>;

/** The token's owner and its highest role now; undefined when its key is revoked, its person removed or its session over. */
async function ownerOf(app: App, { payload, isOwn }: Verified, { orgId, subject }: Claims): Promise<Owner | undefined> {
  const foreign: Owner = { identity: 'issuer', role: 'admin', name: null };
  if (!isOwn) return (await organizationExists(app.db, orgId)) ? foreign : undefined;
  const { sub_iss: foreignIssuer, sid: sessionId, disabled_count: disabledCount } = payload;
  if (foreignIssuer !== undefined) {
    // The token was issued in exchange for another issuer's token. It is invalid once that issuer is no longer configured.
    return foreignIssuer === app.config.auth.issuer ? foreign : undefined;
  }
  if (isOfReadyFile(payload)) return installationCaller;
  const key = await roleOfApiKey(app, orgId, subject);
  if (key) return { identity: 'api_key', role: key.role, name: key.name };
  const user = await activeUser(app.db, { orgId, id: subject });
  if (!user || user.disabled_count !== disabledCount) return undefined;
  const owner: Owner = { identity: 'user', role: user.role, name: user.email };
  if (typeof sessionId !== 'string') return owner;
  const isOver = (await sessionEnd(app, { id: sessionId, userId: subject })) === undefined;
  return isOver ? undefined : { ...owner, sessionId };
}

/**
 * The role that a caller has by now, which a token never raises; undefined when the key is revoked, the person removed, or the session or
 * token over.
 */
export async function roleNow(app: App, caller: Caller): Promise<Role | undefined> {
  const { via, role, identity, tokenExpiresAtSec = Infinity } = caller;
  if (tokenExpiresAtSec * 1000 <= nowFor(app, identity)) return undefined;
  const owned = await ownRoleNow(app, caller);
  return owned && via === 'token' ? lesserRole(role, owned) : owned;
}

/** One indexed read for any kind of caller. */
async function ownRoleNow(app: App, { orgId, identity, subject, sessionId }: Caller): Promise<Role | undefined> {
  switch (identity) {
    case 'installation':
      return installationCaller.role;
    case 'issuer':
      return (await organizationExists(app.db, orgId)) ? 'admin' : undefined;
    case 'api_key':
      return (await roleOfApiKey(app, orgId, subject))?.role;
    case 'user':
      return sessionId === undefined
        ? (await activeUser(app.db, { orgId, id: subject }))?.role
        : roleOfSession(app, { id: sessionId, userId: subject });
  }
}
