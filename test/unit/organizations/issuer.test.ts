import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test, type TestContext } from 'node:test';
import { generateKeyPair, SignJWT } from 'jose';
import { createLog } from '../../../src/base/log.ts';
import { verifyToken } from '../../../src/features/organizations/tokens.ts';
import type { App } from '../../../src/kernel/app.ts';
import { createTestApp } from '../../support/app.ts';

/** What a new process logs about the key set when three tokens of unknown keys arrive. */
async function reasonsFor(t: TestContext, url: string): Promise<string[]> {
  const testing = await createTestApp({
    settings: {
      'auth.jwks_url': `${url}?token=of-the-operator`,
      'auth.issuer': 'https://login.example.com',
      'auth.audience': 'parley',
    },
  });
  t.after(() => testing.close());
  const lines: string[] = [];
  const log = createLog('warn', { destination: { write: (line: string) => lines.push(line) > 0 } });
  const app: App = Object.freeze({ ...testing.app, log });
  const { privateKey } = await generateKeyPair('ES256');
  const token = await new SignJWT({}).setProtectedHeader({ alg: 'ES256', kid: 'x' }).sign(privateKey);
  for (let index = 0; index < 3; index++) assert.equal(await verifyToken(app, token), undefined);
  const found = lines.map((line) => JSON.parse(line) as { reason: string; msg: string });
  for (const { msg } of found) assert.match(msg, /tokens of that issuer are refused/);
  return found.map(({ reason }) => reason);
}

test('a key set that cannot be used is logged with the reason once a minute, not for each token', async (t) => {
  const answer = { status: 500, body: 'oops' };
  const keySets = createServer(
    (_request, response) => void response.writeHead(answer.status, { connection: 'close' }).end(answer.body),
  );
  await new Promise<void>((resolve) => keySets.listen(0, '127.0.0.1', resolve));
  t.after(() => keySets.close());
  const url = `http://127.0.0.1:${(keySets.address() as AddressInfo).port}/jwks`;
  assert.deepEqual(await reasonsFor(t, url), [`${url} answered with status 500 instead of a key set`]);
  Object.assign(answer, { status: 200, body: '<html>Log in</html>' });
  assert.deepEqual(await reasonsFor(t, url), [`${url} answered with something that is not a JSON Web Key Set`]);
  Object.assign(answer, { body: '{"keys":[]}' });
  assert.deepEqual(await reasonsFor(t, url), [`the key set at ${url} has no keys`]);
  await new Promise<void>((resolve) => {
    keySets.close(() => resolve());
    keySets.closeAllConnections();
  });
  const [unreachable, ...others] = await reasonsFor(t, url);
  assert.match(unreachable!, /127\.0\.0\.1/);
  assert.deepEqual(others, []);
});
