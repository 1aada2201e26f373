import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startReceiver } from '../../src/cli/demo/receiver.ts';
import { maxPeople, people } from '../../src/cli/demo/people.ts';
import { signatureHeaders } from '../../src/features/webhooks/signature.ts';
import { run } from './support.ts';

/** Log messages of a busy machine. */
const aboutSlowness = /^\{.*"msg":"blocked the main thread for more than 100 ms"\}\n/gm;

test('the demo calls all contacts, checks every webhook, says that it is simulated, and exits with 0', async () => {
  const { code, out, err } = await run(['demo', '--exit', '--contacts', '30', '--set', 'carrier.simulated.speed=400']);
  assert.equal(code, 0, out + err);
  assert.equal(err.replaceAll(aboutSlowness, ''), '');
  assert.match(out, /SIMULATED/);
  assert.match(out, /total +30 +100 %/);
  assert.equal([...out.matchAll(/^ {2}ok {6}/gm)].length, 4);
  assert.equal(
    [...out.matchAll(/^ {2}curl -s -H 'X-Api-Key: pk_\w+' 'http:\/\/127\.0\.0\.1:\d+\/api\/v1\//gm)].length,
    3,
  );
});

test('each person of the demo has a unique number, and the end of every call is reported', () => {
  const phones = people(maxPeople).map(({ phone }) => phone);
  assert.equal(new Set(phones).size, maxPeople);
  assert.deepEqual(
    phones.filter((phone) => !/^\+1\d{3}55501\d\d$/.test(phone) || phone.endsWith('08')),
    [],
  );
});

test("the demo's receiver accepts only recent events signed with the agent's secret", async (t) => {
  const nowMs = 1_772_442_000_000;
  const receiver = await startReceiver({ now: () => nowMs });
  t.after(() => receiver.close());
  const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
  const other = `whsec_${Buffer.alloc(32, 8).toString('base64')}`;
  const body = JSON.stringify({ event: 'call.completed', data: { call_id: 'call-1' } });
  const send = async (secrets: string[], sentText = body, atMs = nowMs): Promise<number> => {
    const headers = signatureHeaders(secrets, { id: 'event-1', timestampSec: atMs / 1000, body });
    return (await fetch(receiver.url, { method: 'POST', headers, body: sentText })).status;
  };
  assert.equal(await send([secret]), 401, 'before it has a secret');
  receiver.trust(secret);
  assert.equal(await send([other]), 401);
  assert.equal(await send([secret], body.replace('call-1', 'call-2')), 401);
  assert.equal(await send([secret], body, nowMs - 301_000), 401);
  assert.equal((await fetch(receiver.url, { method: 'POST', body })).status, 401);
  assert.equal(receiver.rejected(), 5);
  assert.equal(receiver.verifiedCalls.size, 0);
  assert.equal(await send([other, secret]), 200, 'one valid signature of two is enough');
  assert.deepEqual([...receiver.verifiedCalls], ['call-1']);
});
