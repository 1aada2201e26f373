import type { JWTPayload, JWTVerifyGetKey } from 'jose';
import { createRemoteJWKSet, customFetch } from 'jose/jwks/remote';
import { jwtVerify } from 'jose/jwt/verify';
import { dateOf, monotonicMs } from '../../base/clock.ts';
import { ConfigError, faultAt } from '../../base/config/faults.ts';
import type { Config } from '../../base/config/schema.ts';
import { messageOf } from '../../base/errors.ts';
import type { App } from '../../kernel/app.ts';
import { appLocal } from '../../kernel/node.ts';
import { userAgent } from '../../kernel/user-agent.ts';

/** Another issuer of access tokens for parley (docs/api/access.md, "Access tokens"). */
export type Issuer = { jwksUrl: string; issuer: string; audience: string };

/** @throws {ConfigError} naming the missing settings when only some of the three are set */
export function issuerOf({ auth }: Config): Issuer | undefined {
  const { jwks_url: jwksUrl, issuer, audience } = auth;
  if (jwksUrl !== null && issuer !== null && audience !== null) return { jwksUrl, issuer, audience };
  const settings = { 'auth.jwks_url': jwksUrl, 'auth.issuer': issuer, 'auth.audience': audience };
  const missing = Object.entries(settings).flatMap(([path, value]) => (value === null ? [path] : []));
  if (missing.length === 3) return undefined;
  throw new ConfigError(
    missing.map((path) =>
      faultAt(
        { kind: 'default' },
        path,
        `Tokens of another issuer require auth.jwks_url, auth.issuer and auth.audience; ${path} is not set.`,
      ),
    ),
  );
}

/** Real time. A request with an external token waits for the key set. */
const fetchTimeoutMs = 5_000;
/** Usually a few keys of about 1 KB each. */
const maxKeySetBytes = 262_144;

type Verifier = (token: string) => Promise<JWTPayload>;

/**
 * Verifies access tokens of the other issuer; undefined when none is configured. jose caches the issuer's key set, and fetches it again
 * for a token whose key is not in it.
 */
export const externalVerifier = (app: App): Verifier | undefined => verifiers(app).external;

const verifiers = appLocal((app): { external?: Verifier } => {
  const issuer = issuerOf(app.config);
  return issuer ? { external: verifierOf(app, issuer, keysOf(app, issuer)) } : {};
});

const verifierOf =
  (app: App, { issuer, audience }: Issuer, keys: JWTVerifyGetKey): Verifier =>
  async (token) => {
    const { payload } = await jwtVerify(token, keys, {
      algorithms: ['RS256', 'ES256', 'EdDSA'],
      issuer,
      audience,
      requiredClaims: ['exp', 'sub', 'org_id'],
      currentDate: dateOf(app.clock.now()),
    });
    return payload;
  };

/** Real time for which an answer that is no key set counts: anyone can send a token, and each one asks for the keys. */
const nonsenseMs = 60_000;

/** Logs why a key set cannot be used, because the caller is only told that the token is invalid. */
function keysOf(app: App, { jwksUrl }: Issuer): JWTVerifyGetKey {
  const logUnusable = createUnusableLog(app);
  let nonsense: { error: NotAKeySet; until: number } | undefined;
  return createRemoteJWKSet(new URL(jwksUrl), {
    timeoutDuration: fetchTimeoutMs,
    [customFetch]: async (url) => {
      if (nonsense && monotonicMs() < nonsense.until) throw nonsense.error;
      try {
        return Response.json(await fetchKeySet(app, url));
      } catch (error) {
        if (error instanceof NotAKeySet) nonsense = { error, until: monotonicMs() + nonsenseMs };
        logUnusable(messageOf(error));
        throw error;
      }
    },
  });
}

/** The issuer has answered, but not with a key set. */
class NotAKeySet extends Error {}

/**
 * Fetches the key set of the other issuer, for `parley doctor`, and returns how many keys it has.
 * @throws Error that says why the key set cannot be used
 */
export const countIssuerKeys = async (app: App, { jwksUrl }: Issuer): Promise<number> =>
  (await fetchKeySet(app, jwksUrl)).keys.length;

/**
 * Fetches a key set, without the outbound guard (`upstream`), because the operator configures this URL, not a customer.
 * @throws Error that says why the key set cannot be used
 */
async function fetchKeySet(app: App, url: string): Promise<{ keys: unknown[] }> {
  const { statusCode, responseStart } = await app.upstream.request(url, {
    method: 'GET',
    headers: { accept: 'application/jwk-set+json, application/json', 'user-agent': userAgent(app) },
    timeoutMs: fetchTimeoutMs,
    maxResponseBytes: maxKeySetBytes,
    keepBytes: maxKeySetBytes,
  });
  const address = url.replace(/[?#].*/, '');
  if (statusCode !== 200) throw new NotAKeySet(`${address} answered with status ${statusCode} instead of a key set`);
  const keys = keysIn(responseStart);
  if (!keys) throw new NotAKeySet(`${address} answered with something that is not a JSON Web Key Set`);
  if (keys.length === 0) throw new NotAKeySet(`the key set at ${address} has no keys`);
  return { keys };
}

function keysIn(text: string): unknown[] | undefined {
  try {
    const { keys } = JSON.parse(text) as { keys?: unknown };
    return Array.isArray(keys) && keys.every((key) => typeof key === 'object' && key !== null) ? keys : undefined;
  } catch {
    return undefined; // not JSON, or null
  }
}

/** Real time between two log lines with the same reason: anyone can send a token, and each one asks for the keys. */
const logEveryMs = 60_000;

function createUnusableLog(app: App): (reason: string) => void {
  let last = { reason: '', at: -Infinity };
  return (reason) => {
    const now = monotonicMs();
    if (reason === last.reason && now < last.at + logEveryMs) return;
    last = { reason, at: now };
    app.log.warn({ reason }, 'the key set of the token issuer cannot be used, so tokens of that issuer are refused');
  };
}
