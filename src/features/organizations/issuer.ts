import type { JWTPayload, JWTVerifyGetKey } from 'jose';
import { createRemoteJWKSet, customFetch } from 'jose/jwks/remote';
import { jwtVerify } from 'jose/jwt/verify';
import { dateOf } from '../../base/clock.ts';
import { ConfigError, faultAt } from '../../base/config/faults.ts';
import type { Config } from '../../base/config/schema.ts';
import type { App } from '../../kernel/app.ts';
import { appLocal } from '../../kernel/node.ts';

/** Somebody else who makes access tokens for parley (contract, section 2). */
export type Issuer = { jwksUrl: string; issuer: string; audience: string };

/** @throws {ConfigError} naming what is missing when only some of the three settings are there */
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
        `Tokens of another issuer need auth.jwks_url, auth.issuer and auth.audience; ${path} is not set.`,
      ),
    ),
  );
}

/** Real time: a key set that takes longer is as good as none. */
const fetchTimeoutMs = 5_000;
/** A key set has a few keys of a kilobyte each. */
const largestKeySet = 262_144;

type Verifier = (token: string) => Promise<JWTPayload>;

/** What checks the other issuer's tokens; undefined when there is none. Its keys are kept, and fetched anew for one that is unknown. */
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

/** The operator's own address: exempt from the guard for addresses that customers name (contract, section 12). */
function keysOf(app: App, { jwksUrl }: Issuer): JWTVerifyGetKey {
  return createRemoteJWKSet(new URL(jwksUrl), {
    timeoutDuration: fetchTimeoutMs,
    [customFetch]: async (url, { headers }) => {
      const { statusCode, responseStart } = await app.upstream
        .request(url, {
          method: 'GET',
          headers: Object.fromEntries(headers),
          timeoutMs: fetchTimeoutMs,
          maxResponseBytes: largestKeySet,
          keepBytes: largestKeySet,
        })
        .catch((error: unknown) => {
          app.log.warn({ err: error, url }, 'the key set of the token issuer cannot be fetched');
          throw error;
        });
      return new Response(responseStart, { status: statusCode });
    },
  });
}
