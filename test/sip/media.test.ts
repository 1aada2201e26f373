import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { test, type TestContext } from 'node:test';
import { nextMacrotask } from '../../src/base/clock.ts';
import { keyReceiver, keySender } from '../../src/telephony/media/dtmf.ts';
import { createMedia, type PacedMedia } from '../../src/telephony/media/media.ts';
import { writeRtp } from '../../src/telephony/media/rtp.ts';
import { type MediaSession, NoFreePort } from '../../src/telephony/media/session.ts';
import type { SpeechSession } from '../../src/telephony/audio/speech.ts';
import { tone } from '../../src/telephony/audio/tone.ts';
import { type PhoneOptions, startPhone } from '../support/sip/phone.ts';
import { echoAgent } from '../support/sip/phone-options.ts';
import { portRange } from '../support/sip/ports.ts';
import { medianToneShare } from '../support/sip/tones.ts';

/** An agent that says a tone of 1 kHz and records what it hears. */
function recorder() {
  const heard: Uint8Array[] = [];
  let wanted: { bytes: number; resolve: () => void } | undefined;
  const bytes = (): number => heard.reduce((sum, { length }) => sum + length, 0);
  const facts = echoAgent().facts();
  const holds: boolean[] = [];
  const session: SpeechSession = {
    answered: (line) => void line.play(tone(line.codec, 1000, 20_000), 'tone'),
    begin: () => undefined,
    hear(audio) {
      heard.push(Uint8Array.from(audio));
      if (wanted && bytes() >= wanted.bytes) wanted.resolve();
    },
    key: () => undefined,
    typed: () => undefined,
    held: (isHeld) => void holds.push(isHeld),
    sending: () => undefined,
    say: () => false,
    facts: () => facts,
    end: () => facts,
  };
  return {
    engine: () => session,
    holds,
    audio: (): Uint8Array => Buffer.concat(heard),
    async hears(ms: number): Promise<void> {
      const { promise, resolve } = Promise.withResolvers<void>();
      wanted = { bytes: bytes() + ms * 8, resolve };
      return promise;
    },
  };
}

const ports = await portRange();

type Heard = { keys: string[]; silences: number };

const engines = new WeakMap<PacedMedia, () => SpeechSession>();

function mediaOf(
  t: TestContext,
  engine: () => SpeechSession,
  changes: Partial<Parameters<typeof createMedia>[0]> = {},
): PacedMedia {
  const media = createMedia({ host: '127.0.0.1', ...ports, rtpTimeoutMs: 60_000, mayUse: () => true, ...changes });
  engines.set(media, engine);
  t.after(() => media.close());
  return media;
}

async function openCall(
  media: PacedMedia,
  srtp = false,
): Promise<{ session: MediaSession; heard: Heard; silence: Promise<void> }> {
  const heard: Heard = { keys: [], silences: 0 };
  const silence = Promise.withResolvers<void>();
  const events = {
    key: (digit: string) => void heard.keys.push(digit),
    silence: () => {
      heard.silences += 1;
      silence.resolve();
    },
    hangUp: () => undefined,
    transfer: () => Promise.resolve(null),
  };
  return { session: await media.open({ srtp, speech: engines.get(media)!, events }), heard, silence: silence.promise };
}

async function phoneOf(t: TestContext, options: PhoneOptions = {}) {
  const phone = await startPhone(options);
  t.after(() => phone.stop());
  return phone;
}

for (const codec of ['PCMU', 'PCMA'] as const) {
  for (const srtp of [false, true]) {
    test(`tones are heard both ways in ${codec}${srtp ? ' with SRTP' : ''}`, async (t) => {
      const ear = recorder();
      const media = mediaOf(t, ear.engine);
      const { session } = await openCall(media, srtp);
      assert.equal(session.localKey?.length, srtp ? 30 : undefined);
      const phone = await phoneOf(t, { codec, ...(srtp && { key: randomBytes(30) }) });
      session.start(phone.description());
      phone.talkTo(session.localPort, session.localKey);
      await Promise.all([ear.hears(1000), phone.received(50)]);
      assert.ok(medianToneShare(codec, ear.audio(), 440) > 0.95);
      assert.ok(medianToneShare(codec, phone.audio(), 1000) > 0.95);
      const stats = session.stats();
      assert.deepEqual([stats.codec, stats.srtp, stats.packets_lost], [codec, srtp, 0]);
      assert.ok(stats.packets_sent >= 50 && stats.packets_received >= 50);
      const [first, ...others] = phone.packets;
      assert.equal(first!.marker, true);
      for (const [at, packet] of others.entries()) {
        assert.equal(packet.sequence, (first!.sequence + at + 1) & 0xffff, 'sequence numbers have no gap');
      }
    });
  }
}

test('an endpoint that sends the other law than agreed is understood', async (t) => {
  const ear = recorder();
  const { session } = await openCall(mediaOf(t, ear.engine));
  const phone = await phoneOf(t, { codec: 'PCMA' });
  session.start(phone.description({ codec: 'PCMU', payloadType: 0 }));
  phone.talkTo(session.localPort);
  await ear.hears(500);
  assert.ok(medianToneShare('PCMU', ear.audio(), 440) > 0.95);
});

const networks = {
  'a loss of 5 %': { network: (index: number) => (index % 20 === 7 ? [] : [0]), share: 0.9, isLossy: true },
  'packets that come 60 ms late': {
    network: (index: number) => (index % 5 === 3 ? [55] : [0]),
    share: 0.95,
    isLossy: false,
  },
  duplicates: { network: (index: number) => (index % 3 === 0 ? [0, 15] : [0]), share: 0.95, isLossy: false },
  'jitter of up to 60 ms': { network: (index: number) => [(index * 37) % 60], share: 0.95, isLossy: false },
};
for (const [name, { network, share, isLossy }] of Object.entries(networks)) {
  test(`the tone survives ${name}`, async (t) => {
    const ear = recorder();
    const { session } = await openCall(mediaOf(t, ear.engine));
    const phone = await phoneOf(t, { network });
    session.start(phone.description());
    phone.talkTo(session.localPort);
    await ear.hears(2000);
    assert.ok(medianToneShare('PCMU', ear.audio(), 440) > share, `${medianToneShare('PCMU', ear.audio(), 440)}`);
    if (isLossy) assert.ok(session.stats().packets_lost >= 4, `${session.stats().packets_lost} lost`);
  });
}

test('packets of a third party are neither heard nor answered', async (t) => {
  const ear = recorder();
  const media = mediaOf(t, ear.engine);
  const { session, heard } = await openCall(media);
  const phone = await phoneOf(t, { toneHz: 440 });
  const stranger = await phoneOf(t, { toneHz: 2000 });
  session.start(phone.description());
  phone.talkTo(session.localPort);
  await ear.hears(100);
  const keys = keySender();
  keys.add('9');
  const { payload, timestamp, marker } = keys.next(0)!;
  stranger.sendRaw(writeRtp({ payloadType: 101, marker, sequence: 1, timestamp, ssrc: 5, payload }), session.localPort);
  stranger.talkTo(session.localPort);
  await ear.hears(1000);
  assert.ok(medianToneShare('PCMU', ear.audio(), 440) > 0.95);
  assert.ok(medianToneShare('PCMU', ear.audio(), 2000) < 0.01);
  assert.deepEqual([heard.keys, stranger.packets.length], [[], 0]);
  assert.ok((media.metrics().dropped['source'] ?? 0) > 20);
});

test('a flood of packets, from the other side or a third party, does not stop the sound that is sent', async (t) => {
  const ear = recorder();
  const media = mediaOf(t, ear.engine);
  const { session } = await openCall(media);
  const [phone, stranger] = [await phoneOf(t), await phoneOf(t)];
  session.start(phone.description());
  phone.talkTo(session.localPort);
  await ear.hears(200);
  const payload = tone('PCMU', 800, 20);
  for (let sent = 0; sent < 10_000; sent += 1) {
    const packet = { payloadType: 0, marker: false, timestamp: sent * 160, ssrc: 78, payload };
    // Numbers that jump about leave as many packets waiting for others as possible.
    phone.sendRaw(writeRtp({ ...packet, sequence: (sent * 7919) & 0xffff }), session.localPort);
    stranger.sendRaw(writeRtp({ ...packet, sequence: sent & 0xffff }), session.localPort);
    if (sent % 20 === 0) await nextMacrotask();
  }
  await phone.received(phone.packets.length + 50);
  assert.equal(stranger.packets.length, 0);
  assert.ok(medianToneShare('PCMU', phone.audio().subarray(-4000), 1000) > 0.95, 'its own sound goes on');
  assert.ok(media.metrics().dropped.source! > 100);
});

test('a phone behind NAT is heard and answered at the port it sends from, until a new description', async (t) => {
  const ear = recorder();
  const media = mediaOf(t, ear.engine);
  const { session } = await openCall(media);
  const [outside, other] = [await phoneOf(t), await phoneOf(t, { toneHz: 700 })];
  const inside = await phoneOf(t); // the described port, which never sends
  session.start(inside.description());
  await inside.received(5); // nothing waits for the first packet
  outside.talkTo(session.localPort);
  await outside.received(10);
  other.talkTo(session.localPort);
  await outside.received(40);
  assert.equal(other.packets.length, 0, 'the call is locked to the first source');
  outside.stop();
  const refused = () => media.metrics().dropped['source'] ?? 0;
  const before = refused();
  while (refused() < before + 2) await nextMacrotask(); // what `outside` sent has been read, too: packets keep their order
  session.start(inside.description());
  await other.received(10);
  await ear.hears(200);
  assert.ok(medianToneShare('PCMU', ear.audio().subarray(-800), 700) > 0.95);
});

test('a forged packet does not lock a call with SRTP', async (t) => {
  const ear = recorder();
  const media = mediaOf(t, ear.engine);
  const { session } = await openCall(media, true);
  const phone = await phoneOf(t, { key: randomBytes(30) });
  const forger = await phoneOf(t, { key: randomBytes(30) });
  session.start(phone.description({ port: 9 }));
  forger.talkTo(session.localPort);
  phone.talkTo(session.localPort, session.localKey);
  await phone.received(10);
  assert.ok((media.metrics().dropped['srtp'] ?? 0) > 0);
});

test('sources in networks that are not allowed are not answered', async (t) => {
  const media = mediaOf(t, recorder().engine, { mayUse: () => false });
  const { session } = await openCall(media);
  const [inside, outside] = [await phoneOf(t), await phoneOf(t)];
  session.start(inside.description());
  outside.talkTo(session.localPort);
  await inside.received(20);
  assert.deepEqual([outside.packets.length, session.stats().packets_received], [0, 0]);
});

test('a call on hold gets no packets, and resumed it goes on as if time had passed', async (t) => {
  const { session } = await openCall(mediaOf(t, recorder().engine));
  const [phone, witness] = [await phoneOf(t), await phoneOf(t)];
  const { session: other } = await openCall(mediaOf(t, recorder().engine));
  other.start(witness.description());
  session.start(phone.description());
  await phone.received(3);
  session.start(phone.description({ direction: 'inactive' }));
  const sent = session.stats().packets_sent;
  await witness.received(30); // of another call, 20 ms each
  assert.equal(session.stats().packets_sent, sent);
  session.start(phone.description({ address: '0.0.0.0' }));
  await witness.received(35);
  assert.equal(session.stats().packets_sent, sent);
  session.start(phone.description());
  await phone.received(sent + 1);
  const [before, resumed] = phone.packets.slice(sent - 1, sent + 1);
  assert.equal(resumed!.marker, true);
  assert.ok((resumed!.timestamp - before!.timestamp) >>> 0 > 30 * 160, 'time passed in the stream');
});

test('the other side may be silent while it holds the call, and not otherwise', async (t) => {
  const { session, heard, silence } = await openCall(mediaOf(t, recorder().engine, { rtpTimeoutMs: 300 }));
  const [phone, witness] = [await phoneOf(t), await phoneOf(t)];
  const { session: other } = await openCall(mediaOf(t, recorder().engine));
  session.start(phone.description({ direction: 'inactive' }));
  other.start(witness.description());
  await witness.received(30); // twice the time
  assert.equal(heard.silences, 0);
  session.start(phone.description());
  await silence;
  await phone.received(20); // and more than the time again
  assert.equal(heard.silences, 1);
});

test('music on hold is not heard, and the agent is told of the hold', async (t) => {
  const ear = recorder();
  const { session } = await openCall(mediaOf(t, ear.engine));
  const phone = await phoneOf(t);
  session.start(phone.description());
  phone.talkTo(session.localPort);
  await ear.hears(200);
  session.start(phone.description({ direction: 'recvonly' }));
  const before = ear.audio().length;
  const { packets_received: received } = session.stats();
  while (session.stats().packets_received < received + 20) await nextMacrotask();
  assert.equal(ear.audio().length, before, 'nothing was heard during the hold');
  session.start(phone.description());
  await ear.hears(100);
  assert.deepEqual(ear.holds, [true, false]);
});

test('keys go both ways, each once', async (t) => {
  const { session, heard } = await openCall(mediaOf(t, recorder().engine));
  const phone = await phoneOf(t);
  session.start(phone.description());
  assert.equal(session.sendKeys('12#'), true);
  const keys = keySender();
  keys.add('42');
  for (let slot = 0; slot < 30; slot += 1) {
    const packet = keys.next(slot * 160);
    if (!packet) continue;
    const bytes = writeRtp({ payloadType: 101, sequence: slot, ssrc: 5, ...packet });
    phone.sendRaw(bytes, session.localPort);
    phone.sendRaw(bytes, session.localPort);
  }
  const received = (): string => {
    const receiver = keyReceiver();
    return phone.packets
      .filter(({ payloadType }) => payloadType === 101)
      .map((packet) => receiver.receive(packet.timestamp, packet.marker, packet.payload) ?? '')
      .join('');
  };
  while (received().length < 3 || heard.keys.length < 2) await nextMacrotask();
  await phone.received(phone.packets.length + 10); // more keys than were sent would come now
  assert.deepEqual([received(), heard.keys.join('')], ['12#', '42']);
  session.start(phone.description({ dtmfPayloadType: null }));
  assert.equal(session.sendKeys('1'), false, 'the other side takes none');
});

test('a report tells how many packets were sent; a BYE ends it', async (t) => {
  const { session } = await openCall(mediaOf(t, recorder().engine), true);
  const phone = await phoneOf(t, { key: randomBytes(30) });
  session.start(phone.description());
  phone.talkTo(session.localPort, session.localKey);
  await phone.received(10);
  const { packets_sent: sent } = session.stats();
  session.close();
  const isBye = (report: Buffer): boolean => report.readUInt8(report.length - 7) === 203;
  while (!phone.reports.some(isBye)) await nextMacrotask();
  const report = phone.reports.find(isBye)!;
  assert.deepEqual([report[1], report.readUInt32BE(20)], [200, sent]);
});

test('packets before the answer, malformed ones and unknown payloads are dropped and counted', async (t) => {
  const media = mediaOf(t, recorder().engine);
  const { session } = await openCall(media);
  const phone = await phoneOf(t);
  phone.sendRaw(Buffer.from('early'), session.localPort);
  const plain = { marker: false, sequence: 1, timestamp: 0, ssrc: 1, payload: Buffer.alloc(160) };
  const dropped = async (reason: string): Promise<void> => {
    while (!media.metrics().dropped[reason]) await nextMacrotask();
  };
  await dropped('early');
  session.start(phone.description());
  phone.sendRaw(Buffer.from('GET / HTTP/1.1\r\n\r\n'), session.localPort);
  phone.sendRaw(writeRtp({ ...plain, payloadType: 34 }), session.localPort);
  phone.sendRaw(Buffer.alloc(5000, 0x80), session.localPort);
  await Promise.all([dropped('malformed'), dropped('payload')]);
  assert.equal(session.stats().packets_received, 0);
});

test('ports are even, each for one call, and free again after it', async (t) => {
  const { portMin } = await portRange();
  const media = mediaOf(t, recorder().engine, { portMin: portMin + 1, portMax: portMin + 5 });
  const calls = [await openCall(media), await openCall(media)];
  assert.deepEqual(
    calls.map(({ session }) => session.localPort),
    [portMin + 2, portMin + 4],
  );
  await assert.rejects(
    openCall(media),
    (error) => error instanceof NoFreePort && error.message.includes('sip.rtp_port_min'),
  );
  calls[0]!.session.close();
  calls[0]!.session.close();
  let again: MediaSession | undefined;
  while (!again) {
    await nextMacrotask();
    again = await openCall(media).then(
      ({ session }) => session,
      () => undefined,
    );
  }
  assert.equal(again.localPort, portMin + 2);
});

test('a port that another program has is left out', async (t) => {
  const { portMin } = await portRange();
  const other = createSocket('udp4');
  t.after(() => other.close());
  other.bind(portMin, '127.0.0.1');
  await once(other, 'listening');
  const { session } = await openCall(mediaOf(t, recorder().engine, { portMin, portMax: portMin + 3 }));
  assert.equal(session.localPort, portMin + 2);
});
