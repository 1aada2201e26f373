import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, suite, test } from 'node:test';
import { exportJWK, generateKeyPair, type JWTHeaderParameters, SignJWT } from 'jose';
import type { ConfigError } from '../../src/base/config/faults.ts';
import { type Data, dataOf, startTestServer, type TestServer } from '../support/server.ts';

const issuer = 'https://login.example.com';
const audience = 'parley-tests';
const nowSec = Temporal.Instant.from('2026-03-02T09:00:00Z').epochMilliseconds / 1000;

/** Serves another issuer's key set on this machine. */
async function serveKeySet() {
  const algorithms = ['RS256', 'ES256', 'EdDSA', 'PS256'] as const;
  const pairs = new Map<string, CryptoKey>();
  const keys: object[] = [];
  for (const alg of algorithms) {
    const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true });
    pairs.set(alg, privateKey);
    keys.push({ ...(await exportJWK(publicKey)), kid: alg, use: 'sig' });
  }
  let fetched = 0;
  const server = createServer((_request, response) => {
    fetched += 1;
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ keys }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/jwks.json`,
    keyOf: (alg: string) => pairs.get(alg)!,
    fetched: () => fetched,
    close: () => server.close(),
  };
}

suite('tokens of another issuer', () => {
  let server: TestServer;
  let set: Awaited<ReturnType<typeof serveKeySet>>;
  before(async () => {
    set = await serveKeySet();
    server = await startTestServer({
      settings: { 'auth.jwks_url': set.url, 'auth.issuer': issuer, 'auth.audience': audience },
    });
  });
  after(async () => {
    await server.stop();
    set.close();
  });

  type Options = { alg?: string; key?: CryptoKey | Uint8Array; header?: Partial<JWTHeaderParameters>; claims?: object };
  const token = ({ alg = 'ES256', key = set.keyOf(alg), header = {}, claims = {} }: Options = {}) => {
    const payload = { iss: issuer, aud: audience, sub: 'somebody', org_id: server.orgId, exp: nowSec + 60, ...claims };
    return new SignJWT(payload).setProtectedHeader({ alg, kid: alg, ...header }).sign(key);
  };
  const askWith = async (text: string, method: 'GET' | 'POST' = 'GET') => {
    const options = { key: null, headers: { authorization: `Bearer ${text}` } };
    const body = method === 'POST' ? { body: {} } : {};
    return (await server.request(method, '/contacts', { ...options, ...body })).status;
  };

  test('RS256, ES256 and EdDSA tokens are accepted with their role, or as a viewer without one', async () => {
    for (const alg of ['RS256', 'ES256', 'EdDSA']) assert.equal(await askWith(await token({ alg })), 200, alg);
    assert.equal(await askWith(await token(), 'POST'), 403);
    assert.equal(await askWith(await token({ claims: { role: 'member' } }), 'POST'), 200);
    assert.equal(set.fetched(), 1, 'keys are cached');
  });

  test('a token can be exchanged for one of parley, which stays with its subject and ends no later', async () => {
    const exchange = async (text: string) => {
      const headers = { authorization: `Bearer ${text}` };
      return dataOf(
        await server.post<{ access_token: string; expires_in: number }>('/auth/token', {}, { key: null, headers }),
      );
    };
    const [key] = dataOf(await server.get<Data[]>('/api-keys'));
    const exchanged = await exchange(await token({ claims: { sub: key!.id, role: 'member' } }));
    assert.equal(exchanged.expires_in, 60);
    const again = await exchange(exchanged.access_token);
    for (const one of [exchanged, again]) assert.equal(await askWith(one.access_token, 'POST'), 200);
    // The token's subject equals the id of an admin's key. The token must not get the answers that are stored for that key.
    const headers = { 'idempotency-key': 'of the key' };
    const made = await server.post('/contacts', {}, { headers });
    const asForeign = { ...headers, authorization: `Bearer ${again.access_token}` };
    const other = await server.post('/contacts', {}, { key: null, headers: asForeign });
    assert.deepEqual([other.status, other.headers.get('idempotency-replayed')], [200, null]);
    assert.notEqual(other.text, made.text);
  });

  test('tokens of parley itself stay valid', async () => {
    assert.equal(await askWith(server.accessToken), 200);
  });

  test('an invalid token is refused', async () => {
    const other = await generateKeyPair('ES256');
    const faults: Record<string, Options> = {
      'another key': { key: other.privateKey },
      'another issuer': { claims: { iss: 'https://evil.example.com' } },
      'no issuer': { claims: { iss: undefined } },
      'another audience': { claims: { aud: 'somebody-else' } },
      'no audience': { claims: { aud: undefined } },
      expired: { claims: { exp: nowSec } },
      'no end': { claims: { exp: undefined } },
      'not yet': { claims: { nbf: nowSec + 60 } },
      'no subject': { claims: { sub: undefined } },
      'an empty subject': { claims: { sub: '' } },
      'a subject that is too long': { claims: { sub: 's'.repeat(256) } },
      'no organization': { claims: { org_id: undefined } },
      'an organization id that is not a UUID': { claims: { org_id: 'mine' } },
      'an unknown organization': { claims: { org_id: randomUUID() } },
      'an unknown role': { claims: { role: 'owner' } },
      'an algorithm that is not pinned': { alg: 'PS256' },
      'a secret for a public key': { alg: 'HS256', key: Buffer.from(JSON.stringify(set.url.repeat(3))) },
      'an unknown critical header': { header: { crit: ['x'], x: true } },
    };
    for (const [fault, options] of Object.entries(faults)) {
      const text = await (options.header?.crit
        ? new SignJWT({ iss: issuer, aud: audience, sub: 's', org_id: server.orgId, exp: nowSec + 60 })
            .setProtectedHeader({ alg: 'ES256', kid: 'ES256', ...options.header })
            .sign(set.keyOf('ES256'), { crit: { x: false } })
        : token(options));
      assert.equal(await askWith(text), 401, fault);
    }
    const [, payload] = (await token()).split('.');
    const none = Buffer.from('{"alg":"none"}').toString('base64url');
    assert.equal(await askWith(`${none}.${payload}.`), 401, 'no signature');
  });
});

test('tokens are refused while the key set is out of reach', async (t) => {
  const set = await serveKeySet();
  set.close();
  const settings = { 'auth.jwks_url': set.url, 'auth.issuer': issuer, 'auth.audience': audience };
  const server = await startTestServer({ settings });
  t.after(() => server.stop());
  const text = await new SignJWT({ sub: 's', org_id: server.orgId, iss: issuer, aud: audience, exp: nowSec + 60 })
    .setProtectedHeader({ alg: 'ES256', kid: 'ES256' })
    .sign(set.keyOf('ES256'));
  const { status } = await server.get('/contacts', { key: null, headers: { authorization: `Bearer ${text}` } });
  assert.equal(status, 401);
});

test('an answer that is no key set is asked for once, however many tokens come', async (t) => {
  let fetched = 0;
  const answers = ['<html>', '{"keys":[1]}', '{"keys":[]}'];
  for (const answer of answers) {
    const set = createServer((_request, response) => {
      fetched += 1;
      response.end(answer);
    });
    await new Promise<void>((resolve) => set.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(set.address() as AddressInfo).port}/jwks.json`;
    const settings = { 'auth.jwks_url': url, 'auth.issuer': issuer, 'auth.audience': audience };
    const server = await startTestServer({ settings });
    t.after(async () => {
      await server.stop();
      set.close();
    });
    const { privateKey } = await generateKeyPair('ES256');
    for (let count = 0; count < 10; count += 1) {
      const forged = await new SignJWT({ sub: 's', org_id: server.orgId, iss: issuer, aud: audience, exp: nowSec + 60 })
        .setProtectedHeader({ alg: 'ES256', kid: String(count) })
        .sign(privateKey);
      const { status } = await server.get('/contacts', { key: null, headers: { authorization: `Bearer ${forged}` } });
      assert.equal(status, 401);
    }
  }
  assert.equal(fetched, answers.length);
});

test('a start with only some of the three settings fails and names the missing ones', async () => {
  await assert.rejects(startTestServer({ settings: { 'auth.issuer': issuer } }), (error: ConfigError) => {
    assert.deepEqual(
      error.faults.map(({ setting }) => setting),
      ['auth.jwks_url', 'auth.audience'],
    );
    return true;
  });
});
