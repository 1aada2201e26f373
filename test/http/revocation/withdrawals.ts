import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { isTestClock } from '../../../src/base/clock.ts';
import { installation, transact } from '../../../src/db/transaction.ts';
import { createApiKey } from '../../../src/features/organizations/service.ts';
import { cookieName } from '../../../src/features/organizations/sessions/cookie.ts';
import { openSession } from '../../../src/features/organizations/sessions/service.ts';
import { signToken } from '../../../src/features/organizations/tokens.ts';
import type { Caller } from '../../../src/kernel/route.ts';
import { aPerson } from '../../support/people.ts';
import type { Answer, TestServer } from '../../support/server.ts';
import { ownPage } from '../../support/sessions.ts';

/**
 * What a request is made with. `owners`: the ids of the key or person behind it, whose rows the withdrawal changes. `byClock`: the
 * withdrawal needs no transaction.
 */
export type Credential = {
  headers: Record<string, string>;
  owners: string[];
  byClock?: true;
  withdraw(): Promise<void>;
};

/** A way to take a credential away. `status`: what a request with it is answered from then on. */
export type Withdrawal = { status: 401 | 403; isSession?: boolean; isToken?: boolean; make(): Promise<Credential> };

const issuer = 'https://login.example.com';
const audience = 'parley-tests';

/** Another issuer of tokens. `settings` make a server accept them. */
export async function anIssuer() {
  const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true });
  const keys = [{ ...(await exportJWK(publicKey)), kid: 'a', use: 'sig' }];
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ keys }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    settings: {
      'auth.jwks_url': `http://127.0.0.1:${port}/jwks.json`,
      'auth.issuer': issuer,
      'auth.audience': audience,
    },
    token: (claims: Record<string, unknown>) =>
      new SignJWT({ iss: issuer, aud: audience, sub: 'somebody', role: 'admin', ...claims })
        .setProtectedHeader({ alg: 'ES256', kid: 'a' })
        .sign(privateKey),
    close: () => void server.close(),
  };
}

type Issuer = Awaited<ReturnType<typeof anIssuer>>;

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

/** Every kind of credential with every way in which it ends or comes to allow less. All are an admin's at first. */
export function withdrawalsOn(server: TestServer, foreign: Issuer): Record<string, Withdrawal> {
  const { app } = server.running;
  const { orgId } = server;
  const admin = { orgId, role: 'admin', name: null } as const;
  const request = { requestId: 'test', ip: '127.0.0.1', userAgent: null };
  const done = async (asked: Promise<Answer<unknown>>): Promise<void> => {
    const { status, text } = await asked;
    assert.equal(status, 200, text);
  };
  const token = async (claims: Parameters<typeof signToken>[1]) => bearer((await signToken(app, claims)).token);
  const inSeconds = (seconds: number): number => app.clock.now() / 1000 + seconds;
  const setClock = (ms: number): void => {
    assert.ok(isTestClock(app.clock));
    app.clock.set(app.clock.now() + ms);
  };
  /** For what ends in a second; what else is due until then is done before. */
  const atLastMillisecond = async (): Promise<() => Promise<void>> => {
    setClock(999);
    await server.running.runner.settled();
    return () => Promise.resolve(setClock(1));
  };

  async function key() {
    const made = await transact(app.db, installation, (tx) =>
      createApiKey(app, tx, orgId, { name: 'leaving', role: 'admin' }),
    );
    await done(server.get('/contacts?limit=1', { key: made.apiKey })); // or its first use would wait to be recorded
    return { made, headers: { 'x-api-key': made.apiKey }, owners: [made.id] };
  }

  async function person() {
    const made = await aPerson(server, 'admin');
    const user = { id: made.id, orgId, email: made.email, role: 'admin' } as const;
    const { id, secret } = await transact(app.db, orgId, (tx) => openSession(app, tx, user, request));
    return { made, sessionId: id, session: { ...ownPage, cookie: `${cookieName(app)}=${secret}` }, owners: [made.id] };
  }

  const revoke = (id: string) => () => done(server.del(`/api-keys/${id}`));
  const rotate = (id: string, overlap: number) =>
    done(server.post(`/api-keys/${id}/rotate`, { overlap_seconds: overlap }));
  const remove = (id: string) => () => done(server.del(`/users/${id}`));
  const lower = (id: string) => () => done(server.patch(`/users/${id}`, { role: 'viewer' }));
  const disable = (id: string) => () => done(server.patch(`/users/${id}`, { disabled: true }));
  const ofKey = (subject: string) => token({ ...admin, identity: 'api_key', subject });
  const ofPerson = (subject: string, more: Partial<Caller> = {}) =>
    token({ ...admin, identity: 'user', subject, ...more });

  return {
    'a key that is revoked': {
      status: 401,
      async make() {
        const { made, headers, owners } = await key();
        return { headers, owners, withdraw: revoke(made.id) };
      },
    },
    'a key that is replaced': {
      status: 401,
      async make() {
        const { made, headers, owners } = await key();
        return { headers, owners, withdraw: () => rotate(made.id, 0) };
      },
    },
    'a replaced key whose overlap ends': {
      status: 401,
      async make() {
        const { made, headers, owners } = await key();
        await rotate(made.id, 1);
        return { headers, owners, byClock: true, withdraw: await atLastMillisecond() };
      },
    },
    'the token of a key that is revoked': {
      status: 401,
      isToken: true,
      async make() {
        const { made, owners } = await key();
        return { headers: await ofKey(made.id), owners, withdraw: revoke(made.id) };
      },
    },
    'a token that expires': {
      status: 401,
      isToken: true,
      async make() {
        const { made, owners } = await key();
        const claims = { ...admin, identity: 'api_key', subject: made.id, tokenExpiresAtSec: inSeconds(1) } as const;
        return { headers: await token(claims), owners, byClock: true, withdraw: await atLastMillisecond() };
      },
    },
    'the token of a person who is removed': {
      status: 401,
      isToken: true,
      async make() {
        const { made, owners } = await person();
        return { headers: await ofPerson(made.id), owners, withdraw: remove(made.id) };
      },
    },
    'the token of a person whose role is lowered': {
      status: 403,
      isToken: true,
      async make() {
        const { made, owners } = await person();
        return { headers: await ofPerson(made.id), owners, withdraw: lower(made.id) };
      },
    },
    'the token of a session that ends': {
      status: 401,
      isToken: true,
      async make() {
        const { made, sessionId, session, owners } = await person();
        const headers = await ofPerson(made.id, { sessionId });
        return { headers, owners, withdraw: () => done(server.del('/session', { key: null, headers: session })) };
      },
    },
    "another issuer's token that expires": {
      status: 401,
      isToken: true,
      async make() {
        const headers = bearer(await foreign.token({ org_id: orgId, exp: inSeconds(1) }));
        return { headers, owners: [], byClock: true, withdraw: await atLastMillisecond() };
      },
    },
    'a session that ends': {
      status: 401,
      isSession: true,
      async make() {
        const { session, owners } = await person();
        const withdraw = () => done(server.del('/session', { key: null, headers: session }));
        return { headers: session, owners, withdraw };
      },
    },
    'the session of a person who is removed': {
      status: 401,
      isSession: true,
      async make() {
        const { made, session, owners } = await person();
        return { headers: session, owners, withdraw: remove(made.id) };
      },
    },
    'the session of a person who is disabled': {
      status: 401,
      isSession: true,
      async make() {
        const { made, session, owners } = await person();
        return { headers: session, owners, withdraw: disable(made.id) };
      },
    },
    'the session of a person whose role is lowered': {
      status: 403,
      isSession: true,
      async make() {
        const { made, session, owners } = await person();
        return { headers: session, owners, withdraw: lower(made.id) };
      },
    },
  };
}
