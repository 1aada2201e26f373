import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { pause } from '../../src/base/clock.ts';
import { startDialingTrunk } from '../support/sip/dialing-trunk.ts';
import { freePort } from '../support/sip/free-port.ts';
import { audioOf } from '../support/sip/peer.ts';
import { startPhone } from '../support/sip/phone.ts';
import { medianToneShare } from '../support/sip/tones.ts';
import { toAnInvite } from '../http/sip-incoming-support.ts';
import { createClient } from './client.ts';
import { randomOf } from './random.ts';
import { apiKey, createKillableServer } from './server.ts';

const headerBytes = 58;
const bytesPerMs = 16;
const unknownBytes = 0xffff_ffff;

type Call = { call_id: string; state: string; status: string; started_at: string; recording_url: string | null };

const seed = Number(process.env['PARLEY_CRASH_SEED'] ?? randomInt(2 ** 32));
const random = randomOf(seed);

const onlyFile = (directory: string): string => {
  const files = readdirSync(directory, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.wav'));
  assert.equal(files.length, 1);
  return join(directory, files[0]!);
};

const left = (file: Uint8Array): Uint8Array => file.subarray(headerBytes).filter((_, index) => index % 2 === 0);

/** `talkedMs`: how long the caller sounds a tone before the kill. */
async function kill(t: TestContext, talkedMs: number): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'parley-crash-recording-'));
  const recordings = join(directory, 'recordings');
  const trunk = await startDialingTrunk();
  const phone = await startPhone();
  const port = await freePort();
  const server = createKillableServer(directory, {
    'carrier.driver': 'sip',
    'speech.engine': 'echo',
    'recording.directory': recordings,
    'sip.host': '127.0.0.1',
    'sip.port': String(port),
    'sip.allow_networks': '["127.0.0.0/8"]',
  });
  t.after(async () => {
    await server.kill();
    phone.stop();
    await trunk.close();
    rmSync(directory, { recursive: true, force: true });
  });
  await server.start();
  const client = createClient(server);
  const [model] = await client.ask<Array<{ llmModel: string; voices: Array<{ id: string }> }>>(
    'GET',
    '/available-llm-models/with-voices',
  );
  const agent = await client.ask<{ id: string }>('POST', '/agents/', {
    agentName: 'Robin',
    model: model!.llmModel,
    voiceId: model!.voices[0]!.id,
    recordCalls: true,
  });
  const to = '+4930901821';
  await client.ask('POST', '/phone-numbers/import', {
    phone: to,
    termination_uri: trunk.uri,
    inbound_agent_id: agent.id,
  });
  const invite = trunk.invite(port, { to, body: audioOf(phone.port) });
  const answer = await trunk.next(toAnInvite(200));
  invite.ack(answer);
  phone.talkTo(Number(/m=audio (\d+)/.exec(answer.body)![1]));
  await phone.received(Math.round(talkedMs / 20));
  await server.kill();
  const sentMs = (phone.packets.length - 1) * 20;

  const file = onlyFile(recordings);
  const killed = readFileSync(file);
  assert.equal(killed.readUInt32LE(54), unknownBytes, 'players read to the end of the file');
  const keptMs = (killed.length - headerBytes) / bytesPerMs;
  assert.ok(keptMs > sentMs - 2000, `${keptMs} of ${sentMs} ms were kept`);
  if (keptMs >= 1000) assert.ok(medianToneShare('PCMU', left(killed), 440) > 0.9, 'the caller is on the left');

  await server.start();
  let [call] = await client.ask<Call[]>('GET', '/calls');
  while (call?.state !== 'ended') {
    await pause(20);
    [call] = await client.ask<Call[]>('GET', '/calls');
  }
  const mended = readFileSync(file);
  assert.deepEqual([call.status, mended.length], ['failed', killed.length]);
  assert.equal(mended.readUInt32LE(54), mended.length - headerBytes);
  assert.deepEqual(mended.subarray(headerBytes), killed.subarray(headerBytes));
  assert.ok(call.recording_url?.endsWith(`/api/v1/calls/${call.call_id}/recording`));
  const { url } = await server.address();
  const fetched = await fetch(`${url}/api/v1/calls/${call.call_id}/recording`, { headers: { 'x-api-key': apiKey } });
  assert.deepEqual(Buffer.from(await fetched.arrayBuffer()), mended);
  assert.equal((await server.stop()).code, 0, server.log());
}

for (const cycle of [1, 2]) {
  const talkedMs = random.between(300, 6000);
  test(`killed ${talkedMs} ms into a call, its recording plays less its last 2 s (${cycle}, PARLEY_CRASH_SEED=${seed})`, (t) =>
    kill(t, talkedMs));
}
