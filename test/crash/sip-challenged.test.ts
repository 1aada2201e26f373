import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { freePort } from '../support/sip/free-port.ts';
import { audioOf, headerIn, type Peer, type PeerMessage, startPeer } from '../support/sip/peer.ts';
import { createClient } from './client.ts';
import { createKillableServer } from './server.ts';

const md5 = (text: string): string => hash('md5', text);

/** Whether the request answers the challenge with the number's password (RFC 2617 without qop). */
function isAuthorized(request: PeerMessage): boolean {
  const header = headerIn(request, 'Authorization');
  const field = (name: string): string => new RegExp(`${name}="([^"]*)"`).exec(header)?.[1] ?? '';
  const expected = md5(`${md5('parley:trunk:open sesame')}:n1:${md5(`${request.method}:${field('uri')}`)}`);
  return field('response') === expected;
}

/** A trunk that challenges every BYE. */
function challenging(peer: Peer, request: PeerMessage): void {
  if (request.method === 'INVITE') peer.answer(request, { status: 200, body: audioOf(46_000) });
  else if (request.method === 'BYE' && !isAuthorized(request)) {
    peer.answer(request, { status: 401, headers: [['WWW-Authenticate', 'Digest realm="trunk", nonce="n1"']] });
  } else if (request.method !== 'ACK') peer.answer(request, { status: 200 });
}

test("after a crash a trunk that challenges the BYE is answered by the number's password", async (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'parley-crash-sip-auth-'));
  const peer = await startPeer(challenging);
  const server = createKillableServer(directory, {
    'carrier.driver': 'sip',
    'speech.engine': 'echo',
    'sip.host': '127.0.0.1',
    'sip.port': String(await freePort()),
    'sip.allow_networks': '["127.0.0.0/8"]',
  });
  t.after(async () => {
    await server.kill();
    await peer.close();
    rmSync(directory, { recursive: true, force: true });
  });
  await server.start();
  const client = createClient(server);
  const [model] = await client.ask<Array<{ llmModel: string; voices: Array<{ id: string }> }>>(
    'GET',
    '/available-llm-models/with-voices',
  );
  const voice = { model: model!.llmModel, voiceId: model!.voices[0]!.id };
  const agent = await client.ask<{ id: string }>('POST', '/agents/', { agentName: 'Robin', ...voice });
  const number = await client.ask<{ id: string }>('POST', '/phone-numbers/import', {
    phone: '+4930901821',
    termination_uri: peer.uri,
    sip_username: 'parley',
    sip_password: 'open sesame',
  });
  await client.once('POST', '/calls', { agent_id: agent.id, phone_number_id: number.id, to: '+4930901820' });
  await peer.next('ACK');
  await server.kill();
  await server.start();
  const bye = await peer.next((message) => message.method === 'BYE' && isAuthorized(message));
  assert.ok(Number.parseInt(headerIn(bye, 'CSeq'), 10) > 2);
  assert.equal((await server.stop()).code, 0, server.log());
});
