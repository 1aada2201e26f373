import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { apiKey, createKillableServer } from './server.ts';

type Body = { code?: string; message?: string; reason?: string; data?: Array<{ first_name: string }> };

test('After a failed sync no write is acknowledged until a restart, which has every acknowledged write.', async (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'parley-crash-'));
  t.after(() => rmSync(directory, { recursive: true, force: true }));
  const failSyncs = join(directory, 'syncs-fail');
  const server = createKillableServer(directory, {});
  t.after(() => server.kill());
  const send = async (method: string, path: string, name?: string): Promise<Body & { status: number }> => {
    const { url } = await server.address();
    const headers = { 'x-api-key': apiKey, 'content-type': 'application/json', 'idempotency-key': name ?? 'unused' };
    const body = name === undefined ? null : JSON.stringify({ first_name: name });
    const response = await fetch(url + path, { method, headers, body });
    return { ...((await response.json()) as Body), status: response.status };
  };
  const post = (name: string) => send('POST', '/api/v1/contacts', name);
  const names = async () => (await send('GET', '/api/v1/contacts')).data!.map((contact) => contact.first_name);

  assert.equal(await server.start({ failSyncs }), 'ready', server.log());
  assert.equal((await post('acknowledged')).status, 200);
  assert.equal((await send('GET', '/ready')).status, 200);

  writeFileSync(failSyncs, '');
  const uncertain = await post('uncertain');
  assert.deepEqual([uncertain.status, uncertain.code], [503, 'UNAVAILABLE']);
  assert.match(uncertain.message!, /may or may not have been stored/);
  rmSync(failSyncs);
  for (const name of ['refused', 'uncertain', 'acknowledged']) {
    const { status, code, message } = await post(name);
    assert.deepEqual([status, code], [503, 'UNAVAILABLE'], 'also a stored answer is not repeated');
    assert.match(message!, /Nothing was changed/);
  }
  const { status, reason } = await send('GET', '/ready');
  assert.equal(status, 503);
  assert.match(
    reason!,
    /^the storage refuses writes: the disk failed to sync: EIO.*restart parley when the disk works again$/,
  );
  assert.ok((await names()).includes('acknowledged'), 'reads go on');

  assert.deepEqual(await server.stop(), { code: 0, signal: null });
  assert.equal(await server.start(), 'ready', server.log());
  assert.equal((await send('GET', '/ready')).status, 200);
  assert.equal((await post('refused')).status, 200);
  const found = await names();
  assert.ok(['acknowledged', 'refused'].every((name) => found.includes(name)));
});
