import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite, test, type TestContext } from 'node:test';
import { apiKey, createMortal } from './server.ts';

/** Sends the same POST in two lives of a server, the first of which ends at a fault point; how many contacts that makes. */
async function postTwice(t: TestContext, crashAt: string) {
  const directory = mkdtempSync(join(tmpdir(), 'parley-crash-'));
  t.after(() => rmSync(directory, { recursive: true, force: true }));
  const server = createMortal(directory, {});
  t.after(() => server.kill());
  const headers = { 'x-api-key': apiKey, 'content-type': 'application/json', 'idempotency-key': 'once' };
  const post = async () => {
    const { url } = await server.address();
    return fetch(`${url}/api/v1/contacts`, { method: 'POST', headers, body: '{"first_name":"Ada"}' });
  };
  assert.equal(await server.start({ crashAt }), 'ready', server.log());
  await assert.rejects(post(), 'it died before it answered');
  await server.gone();
  assert.equal(await server.start(), 'ready', server.log());
  const again = await post();
  const { url } = await server.address();
  const list = (await (await fetch(`${url}/api/v1/contacts`, { headers })).json()) as { meta: { total: number } };
  await server.stop();
  return { status: again.status, replayed: again.headers.get('idempotency-replayed'), contacts: list.meta.total };
}

suite('a server that dies in a request with an Idempotency-Key', { concurrency: 2 }, () => {
  test('before the commit, has done nothing of it: sent again, it happens', async (t) => {
    assert.deepEqual(await postTwice(t, 'request.uncommitted:1'), { status: 200, replayed: null, contacts: 1 });
  });

  test('after the commit, knows the answer that it owes', async (t) => {
    assert.deepEqual(await postTwice(t, 'request.committed:1'), { status: 200, replayed: 'true', contacts: 1 });
  });
});
