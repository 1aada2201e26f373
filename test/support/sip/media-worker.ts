/** A thread with the sound of many calls of the echo engine, like the telephony thread. For tests and bench/calls.ts. */
import { parentPort, workerData } from 'node:worker_threads';
import { openPhone, type Phone } from '../../../src/telephony/dialog/phone.ts';
import { createMedia } from '../../../src/telephony/media/media.ts';
import type { MediaSession, RemoteMedia } from '../../../src/telephony/media/session.ts';
import { echoAgent, phoneOptions } from './phone-options.ts';

export type MediaRequest =
  | { type: 'open'; calls: number }
  /** `ports` are the ports that the calls send to. */
  | { type: 'start'; ports: readonly number[] }
  /** Opens a SIP port whose messages this thread reads, too. */
  | { type: 'listen' }
  | { type: 'figures' }
  | { type: 'close' };

export type MediaFigures = {
  /** Since its start, packets that were at most this many quarters of a millisecond late, by that number; the last entry counts all. */
  atMostLate: number[];
  sent: number;
  received: number;
  lost: number;
  skipped: number;
  /** Processor time of this thread since its start. */
  cpuMs: number;
  rssBytes: number;
};

const media = createMedia({
  host: '127.0.0.1',
  ...(workerData as { portMin: number; portMax: number }),
  rtpTimeoutMs: 60_000,
  mayUse: () => true,
});
let sessions: MediaSession[] = [];
let phone: Phone | undefined;

/** Nobody may call, so that every message is a stranger's. */
const strangersOnly = phoneOptions(media);

async function open(calls: number): Promise<number[]> {
  const events = {
    key: () => undefined,
    silence: () => undefined,
    hangUp: () => undefined,
    transfer: () => Promise.resolve(null),
  };
  for (let call = 0; call < calls; call += 1)
    sessions.push(await media.open({ srtp: false, speech: echoAgent, events }));
  return sessions.map(({ localPort }) => localPort);
}

const remoteAt = (port: number): RemoteMedia => ({
  address: '127.0.0.1',
  port,
  rtcpPort: 9, // nobody reads the reports
  codec: 'PCMU',
  payloadType: 0,
  dtmfPayloadType: null,
  key: null,
  direction: 'sendrecv',
});

function figures(): MediaFigures {
  const { lateness } = media;
  const { packetsSent, packetsReceived, packetsLost } = media.metrics();
  const { user, system } = process.threadCpuUsage();
  return {
    atMostLate: [...Array.from({ length: 1001 }, (_, quarters) => lateness.atMost(quarters / 4)), lateness.count()],
    sent: packetsSent,
    received: packetsReceived,
    lost: packetsLost,
    skipped: media.skippedSlots(),
    cpuMs: (user + system) / 1000,
    rssBytes: process.memoryUsage().rss,
  };
}

async function answer(request: MediaRequest): Promise<unknown> {
  switch (request.type) {
    case 'open':
      return open(request.calls);
    case 'start':
      for (const [index, session] of sessions.entries()) session.start(remoteAt(request.ports[index]!));
      return undefined;
    case 'listen':
      return (phone = await openPhone(strangersOnly)).port;
    case 'figures':
      return figures();
    case 'close':
      media.close();
      await phone?.close();
      sessions = [];
      return undefined;
  }
}

parentPort!.on('message', async (request: MediaRequest) => {
  parentPort!.postMessage(await answer(request), []);
  if (request.type === 'close') parentPort!.close();
});
