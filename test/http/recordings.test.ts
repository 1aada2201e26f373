import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { pause } from '../../src/base/clock.ts';
import { type Client, dataOf } from '../support/server.ts';
import { goodNetwork, type Network, startPhone } from '../support/sip/phone.ts';
import { audioOf, headerIn } from '../support/sip/peer.ts';
import { medianToneShare } from '../support/sip/tones.ts';
import { aServer, anAnsweringNumber, aTrunk, callIn, toAnInvite } from './sip-incoming-support.ts';

const headerBytes = 58;

/** A call to an agent that records; its caller sounds a tone of 440 Hz. */
async function aRecordedCall(
  t: TestContext,
  settings: Readonly<Record<string, string>> = {},
  network: Network = goodNetwork,
) {
  const directory = mkdtempSync(join(tmpdir(), 'parley-recordings-'));
  t.after(() => rmSync(directory, { recursive: true, force: true }));
  const { server, port } = await aServer(t, { 'recording.directory': directory, ...settings });
  const trunk = await aTrunk(t);
  const { number } = await anAnsweringNumber(server, trunk, {}, { recordCalls: true });
  const phone = await startPhone({ network });
  t.after(() => phone.stop());
  const sent = trunk.invite(port, { to: number.phone, body: audioOf(phone.port) });
  const answer = await trunk.next(toAnInvite(200));
  sent.ack(answer);
  phone.talkTo(Number(/m=audio (\d+)/.exec(answer.body)![1]));
  const { call_id: id } = await callIn(server, 'in_progress');
  const hangUp = async () => {
    sent.request(answer, 'BYE');
    return callIn(server, 'ended');
  };
  let requests = 1;
  /** Holds the call, or takes it back. */
  const change = async (direction: 'sendonly' | 'sendrecv') => {
    requests += 1;
    sent.request(answer, 'INVITE', { body: audioOf(phone.port, { extra: `a=${direction}\r\n` }) });
    const wanted = `${requests} INVITE`;
    const done = await trunk.next((message) => message.status === 200 && headerIn(message, 'CSeq') === wanted);
    sent.ack(done);
  };
  const fetchRecording = (headers: Record<string, string> = {}, client: Client = server): Promise<Response> =>
    fetch(`${server.url}/api/v1/calls/${id}/recording`, { headers: { 'X-Api-Key': client.apiKey, ...headers } });
  return { server, directory, phone, id, change, hangUp, fetchRecording };
}

/** One side of a file. */
const sideOf = (file: Uint8Array, side: 0 | 1): Uint8Array =>
  file.subarray(headerBytes).filter((_, index) => index % 2 === side);

test('a call is recorded on two channels, is fetched whole and in parts, and is deleted', async (t) => {
  const { server, directory, phone, id, hangUp, fetchRecording } = await aRecordedCall(t);
  await phone.received(150);
  const ended = await hangUp();
  assert.equal(ended['recording_url'], `${server.url}/api/v1/calls/${id}/recording`);
  const whole = await fetchRecording();
  assert.deepEqual([whole.status, whole.headers.get('content-type')], [200, 'audio/wav']);
  const bytes = Buffer.from(await whole.arrayBuffer());
  assert.deepEqual([bytes.readUInt16LE(20), bytes.readUInt16LE(22), bytes.readUInt32LE(24)], [7, 2, 8000]);
  assert.equal(bytes.readUInt32LE(54), bytes.length - headerBytes);
  const recordedMs = (bytes.length - headerBytes) / 16;
  assert.ok(recordedMs > 2900 && recordedMs < 6000, `${recordedMs} ms`);
  assert.ok(medianToneShare('PCMU', sideOf(bytes, 0), 440) > 0.9, 'the caller is on the left');
  const agent = sideOf(bytes, 1);
  const isSound = (value: number): boolean => value !== 0xff;
  // By the packets' own time: a busy machine leaves some out.
  const first = phone.packets.find(({ payload }) => payload.some(isSound))!;
  const heardAt = first.timestamp - phone.packets[0]!.timestamp + first.payload.findIndex(isSound);
  const recordedAt = agent.findIndex(isSound);
  assert.ok(Math.abs(recordedAt - heardAt) <= 640, `the agent is on the right, at ${recordedAt} instead of ${heardAt}`);

  const organization = dataOf(await server.get<{ id: string }>('/organization')).id;
  const month = String(ended['started_at']).slice(0, 7);
  const file = join(directory, organization, month, `${id}.wav`);
  assert.deepEqual(readFileSync(file), bytes);
  assert.equal(statSync(file).mode & 0o777, 0o600);

  type Loudness = { duration_ms: number; person: number[]; agent: number[] };
  const envelope = dataOf(await server.get<Loudness>(`/calls/${id}/envelope?points=100`));
  assert.deepEqual([envelope.person.length, envelope.agent.length], [100, 100]);
  assert.equal(envelope.duration_ms, Math.round(recordedMs));
  assert.ok(Math.max(...envelope.person) > 40 && Math.max(...envelope.agent) > 20);
  assert.deepEqual(dataOf(await server.get<Loudness>(`/calls/${id}/envelope?points=100`)), envelope);

  const part = await fetchRecording({ Range: 'bytes=50-99' });
  assert.deepEqual([part.status, part.headers.get('content-range')], [206, `bytes 50-99/${bytes.length}`]);
  assert.deepEqual(Buffer.from(await part.arrayBuffer()), bytes.subarray(50, 100));
  const tail = await fetchRecording({ Range: 'bytes=-10' });
  assert.deepEqual(Buffer.from(await tail.arrayBuffer()), bytes.subarray(-10));
  assert.equal((await fetchRecording({ Range: `bytes=${bytes.length}-` })).status, 416);

  const timeline = dataOf(await server.get<Array<{ type: string }>>(`/calls/${id}/timeline`));
  assert.ok(timeline.some(({ type }) => type === 'recording'));
  assert.equal((await fetchRecording({}, await server.newOrganization())).status, 404);
  dataOf(await server.del(`/calls/${id}/recording`));
  assert.deepEqual([(await fetchRecording()).status, existsSync(file)], [404, false]);
  assert.equal(dataOf(await server.get<Record<string, unknown>>(`/calls/${id}`))['recording_url'], null);
  const audit = dataOf(await server.get<Array<{ operation: string; target: object }>>('/audit?limit=20'));
  const operations = audit.map(({ operation }) => operation);
  assert.ok(operations.includes('getCallRecording') && operations.includes('deleteCallRecording'), operations.join());
});

/** Whether each 20 ms of a side have sound. */
const soundIn = (side: Uint8Array): boolean[] =>
  Array.from({ length: Math.floor(side.length / 160) }, (_, at) =>
    side.subarray(at * 160, at * 160 + 160).some((byte) => byte !== 0xff && byte !== 0x7f),
  );

/** The lengths of what is silent between sounds, in ms. */
function pausesIn(sounds: readonly boolean[]): number[] {
  const pauses: number[] = [];
  let last = -1;
  for (const [at, hasSound] of sounds.entries()) {
    if (!hasSound) continue;
    if (last >= 0 && at - last > 1) pauses.push((at - last - 1) * 20);
    last = at;
  }
  return pauses;
}

test('packets that are lost, and a time on hold, are silence of their length', async (t) => {
  const [lostFrom, lostUntil] = [50, 80];
  let sent = 0;
  const { change, hangUp, fetchRecording } = await aRecordedCall(t, {}, (index) => {
    sent = index;
    return index >= lostFrom && index < lostUntil ? [] : [0];
  });
  const hasSent = async (count: number) => {
    while (sent < count) await pause(5);
  };
  await hasSent(130);
  await change('sendonly');
  const heldAt = sent;
  await hasSent(heldAt + 60); // what a caller's system plays on hold is not heard
  await change('sendrecv');
  const heldMs = (sent - heldAt) * 20;
  await hasSent(sent + 50);
  const lastMs = sent * 20;
  await hangUp();
  const bytes = Buffer.from(await (await fetchRecording()).arrayBuffer());
  const left = sideOf(bytes, 0);
  assert.equal(left.length, sideOf(bytes, 1).length);
  const pauses = pausesIn(soundIn(left)).filter((ms) => ms > 400);
  assert.equal(pauses.length, 2, pauses.join());
  assert.ok(Math.abs(pauses[0]! - (lostUntil - lostFrom) * 20) <= 40, `${pauses[0]} ms lost`);
  assert.ok(Math.abs(pauses[1]! - heldMs) <= 100, `${pauses[1]} ms of ${heldMs} on hold`);
  // Both sides keep to the time: the tone ends as much later as was sent.
  const sounds = soundIn(left);
  const soundMs = (sounds.lastIndexOf(true) - sounds.indexOf(true) + 1) * 20;
  assert.ok(soundMs >= lastMs - 100 && soundMs <= lastMs + 400, `${soundMs} ms of ${lastMs}`);
});

test('a live call answers what there is, as a file that plays, and cannot lose its recording', async (t) => {
  const { server, phone, id, hangUp, fetchRecording } = await aRecordedCall(t);
  await phone.received(120);
  const live = await fetchRecording();
  const bytes = Buffer.from(await live.arrayBuffer());
  assert.equal(bytes.readUInt32LE(54), bytes.length - headerBytes);
  assert.ok(bytes.length > headerBytes);
  assert.equal((await server.del(`/calls/${id}/recording`)).status, 409);
  await hangUp();
});

test('a recording that cannot be written is broken off, and the call goes on', async (t) => {
  const { server, phone, id, hangUp, fetchRecording } = await aRecordedCall(t, {
    'recording.directory': '/dev/null/no-directory',
  });
  await phone.received(20);
  for (;;) {
    const timeline = dataOf(await server.get<Array<{ type: string; detail: string }>>(`/calls/${id}/timeline`));
    const entry = timeline.find(({ type }) => type === 'recording');
    if (entry) {
      assert.match(entry.detail, /^broken off: ENOTDIR/);
      break;
    }
    await pause(20);
  }
  const ended = await hangUp();
  assert.deepEqual([ended.status, ended['recording_url'], (await fetchRecording()).status], ['completed', null, 404]);
});
