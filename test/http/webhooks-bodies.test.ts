import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { installation, transact } from '../../src/db/transaction.ts';
import { aPhone } from '../support/fixtures.ts';
import { type Data, dataOf, startTestServer, type TestServer } from '../support/server.ts';
import { type CallingOrg, newCallingOrg } from './calling-support.ts';

const dayMs = 86_400_000;

/** A receiver that accepts every event and keeps their bodies. */
async function aReceiver(t: TestContext): Promise<{ url: string; bodies: string[] }> {
  const bodies: string[] = [];
  const receiver = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    bodies.push(Buffer.concat(chunks).toString());
    response.end();
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    receiver.closeAllConnections();
    receiver.close();
  });
  return { url: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`, bodies };
}

async function startCalled(t: TestContext): Promise<{ server: TestServer; org: CallingOrg; bodies: string[] }> {
  const { url, bodies } = await aReceiver(t);
  const server = await startTestServer({ settings: { 'calls.retention_days': '2' } });
  t.after(() => server.stop());
  const org = await newCallingOrg(server, { agent: { webhook_url: url } });
  // The name has characters that JSON and SQLite count differently.
  await org.run([{ phone: aPhone('00'), first_name: 'Zoë 👋 "Q"' }]);
  await server.advance(600_000);
  return { server, org, bodies };
}

/** Sends the only delivery again, and returns its payload. */
async function resend(server: TestServer, { client }: CallingOrg): Promise<unknown> {
  const [delivery] = dataOf(await client.get<Data[]>('/webhooks/deliveries'));
  await client.post(`/webhooks/deliveries/${delivery!.id}/retry`);
  await server.advance(0);
  return dataOf(await client.get(`/webhooks/deliveries/${delivery!.id}`))['payload'];
}

test('an event keeps its bytes when its call is deleted', async (t) => {
  const { server, org, bodies } = await startCalled(t);
  const [call] = await org.calls();
  assert.ok(call!.transcripts.length > 0);
  const { data, event } = JSON.parse(bodies[0]!) as { data: Data; event: string };
  assert.equal(event, 'call.completed');
  assert.deepEqual(data['transcripts'], call!.transcripts);
  assert.equal(data['caller_name'], 'Zoë 👋 "Q"');
  assert.deepEqual(await resend(server, org), JSON.parse(bodies[0]!));

  await server.advance(4 * dayMs);
  assert.deepEqual(await org.calls(), []);
  assert.deepEqual(await resend(server, org), JSON.parse(bodies[0]!));
  assert.deepEqual(bodies, [bodies[0], bodies[0], bodies[0]]);
});

test('an event keeps its bytes when the transcripts of its call change', async (t) => {
  const { server, org, bodies } = await startCalled(t);
  const [call] = await org.calls();
  await transact(server.running.app.db, installation, async (tx) => {
    await tx.updateTable('calls').set({ transcripts: '[]' }).where('id', '=', call!.call_session_id).execute();
  });
  assert.deepEqual(await resend(server, org), JSON.parse(bodies[0]!));
  assert.deepEqual(bodies, [bodies[0], bodies[0]]);
});
