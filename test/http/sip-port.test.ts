import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { test } from 'node:test';
import { aPhone, anAgent, aNumber } from '../support/fixtures.ts';
import { dataOf, startTestServer, type TestServer } from '../support/server.ts';
import { freePort } from '../support/sip/free-port.ts';
import { startPeer } from '../support/sip/peer.ts';
import { sipSettings } from '../support/sip/server.ts';
import { begin, connect, ended } from '../support/test-calls.ts';

/** Nothing listens for SIP on a server whose calls are not made over it. */

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = createSocket('udp4');
    socket.once('error', () => resolve(false));
    socket.bind(port, '127.0.0.1', () => socket.close(() => resolve(true)));
  });

const signalling = async (server: TestServer): Promise<string | undefined> => {
  const { checks } = dataOf(await server.get<{ checks: Array<{ message: string }> }>('/system'));
  return checks.map(({ message }) => message).find((message) => /signalling|for SIP/.test(message));
};

test('the port of signalling is opened by the first number that calls over SIP, not by test calls', async (t) => {
  const peer = await startPeer((own, request) => {
    if (request.method !== 'ACK')
      own.answer(
        request,
        request.method === 'INVITE' ? { status: 486, reason: 'Busy' } : { status: 200, reason: 'OK' },
      );
  });
  const port = await freePort();
  const settings = { ...(await sipSettings()), 'carrier.driver': 'simulated', 'sip.port': String(port) };
  const server = await startTestServer({ testClock: false, settings });
  t.after(async () => {
    await server.stop();
    await peer.close();
  });
  const agent = await anAgent(server);
  const begun = await begin(server, agent.id);
  const client = await connect(t, begun);
  await client.hears();
  client.send({ type: 'hangup' });
  assert.equal((await ended(server, begun.call_session_id)).status, 'completed');

  const number = await aNumber(server, { termination_uri: peer.uri });
  const check = await server.post<{ reachable: boolean }>(`/phone-numbers/${number.id}/check`);
  assert.equal(dataOf(check).reachable, true, 'another port asks');
  assert.equal(await isFree(port), true);
  assert.match((await signalling(server))!, /nothing listens for SIP/);

  dataOf(await server.patch(`/phone-numbers/${number.id}`, { carrier: 'sip' }));
  const body = { agent_id: agent.id, phone_number_id: number.id, to: aPhone() };
  const { call_id: id } = dataOf(await server.post<{ call_id: string }>('/calls', body));
  assert.equal((await ended(server, id)).status, 'busy');
  assert.equal(await isFree(port), false);
});

test('a port that is taken later fails the calls that need it, with its name', async (t) => {
  const port = await freePort();
  const settings = { ...(await sipSettings()), 'carrier.driver': 'simulated', 'sip.port': String(port) };
  const server = await startTestServer({ settings });
  t.after(() => server.stop());
  const taken = createSocket('udp4');
  t.after(() => taken.close());
  await new Promise<void>((resolve) => taken.bind(port, '127.0.0.1', resolve));
  const number = await aNumber(server, { termination_uri: '127.0.0.1:9', carrier: 'sip' });
  const body = { agent_id: (await anAgent(server)).id, phone_number_id: number.id, to: aPhone() };
  const { call_id: id } = dataOf(await server.post<{ call_id: string }>('/calls', body));
  await server.advance(60_000); // the attempts of a carrier out of reach
  const call = await ended(server, id);
  assert.equal(call.status, 'failed');
  assert.match(String(call['error_message']), new RegExp(`sip\\.port ${port} .* is in use`));
});
