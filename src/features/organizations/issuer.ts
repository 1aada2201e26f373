import type { JWTPayload, JWTVerifyGetKey } from 'jose';
import { createRemoteJWKSet, customFetch } from 'jose/jwks/remote';
import { jwtVerify } from 'jose/jwt/verify';
import { dateOf } from '../../base/clock.ts';
import { ConfigError, faultAt } from '../../base/config/faults.ts';
import type { Config } from '../../base/config/schema.ts';
import type { App } from '../../kernel/app.ts';
import { appLocal } from '../../kernel/node.ts';

/** Another issuer of access tokens for parley (contract, section 2). */
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

/** Verifies tokens of the other issuer; undefined when none is configured. Its keys are cached, and fetched again for an unknown one. */
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

/** Unguarded (`upstream`), because the operator configures this URL, not a customer (contract, section 12). */
function keysOf(app: App, { jwksUrl }: Issuer): JWTVerifyGetKey {
  return createRemoteJWKSet(new URL(jwksUrl), {
    timeoutDuration: fetchTimeoutMs,
    [customFetch]: async (url, { headers }) => {
      const { statusCode, responseStart } = await app.upstream
        .request(url, {
          method: 'GET',
          headers: Object.fromEntries(headers),
          timeoutMs: fetchTimeoutMs,
          maxResponseBytes: maxKeySetBytes,
          keepBytes: maxKeySetBytes,
        })
        .catch((error: unknown) => {
          app.log.warn({ err: error, url }, 'fetching the key set of the token issuer failed; its tokens are refused');
          throw error;
        });
      return new Response(responseStart, { status: statusCode });
    },
  });
}
