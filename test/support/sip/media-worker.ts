/** A thread with the sound of many calls, like the telephony thread: of the echo engine, of `realtime` or of `cascade`. For tests and benches. */
import { join } from 'node:path';
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { defaultsOf } from '../../../src/base/config/settings.ts';
import { openAgent } from '../../../src/talking/agent.ts';
import { createAgents } from '../../../src/features/calls/carriers/thread/agents.ts';
import { createWebCalls, type WebCalls } from '../../../src/features/calls/carriers/thread/web-calls.ts';
import { createRecordings } from '../../../src/talking/recording/recordings.ts';
import { createCascadeEngine } from '../../../src/talking/speech/cascade/engine.ts';
import { speechMetrics } from '../../../src/talking/speech/metrics.ts';
import { echoEngine } from '../../../src/talking/speech/echo/echo.ts';
import { createRealtimeEngine } from '../../../src/talking/speech/realtime/engine.ts';
import { type SpeechSettings, speechSettings } from '../../../src/talking/speech/settings.ts';
import type { SpeechSession } from '../../../src/telephony/audio/speech.ts';
import type { SoundTap } from '../../../src/telephony/audio/tap.ts';
import { anAgentInCall, noSpeechEvents, voicemailSettings } from '../talking.ts';
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
  /** Opens test calls that echo: their sound comes and goes by the port, as `WebSound`. */
  | { type: 'test-calls'; calls: number; port: MessagePort }
  | { type: 'figures' }
  | { type: 'close' };

export type WebSound = { call: number; audio: Uint8Array };

type MediaWorkerData = {
  portMin: number;
  portMax: number;
  /** A realtime service for the calls, which are its models 0, 1, …; by default they echo. */
  realtimeUrl?: string;
  /** One that transcribes, completes and speaks, for calls of the engine `cascade`. */
  cascadeUrl?: string;
  audio?: 'g711' | 'pcm';
  /** An existing directory into which all calls are recorded. */
  recordTo?: string;
};

export type MediaFigures = {
  /** Since its start, packets that were at most this many quarters of a millisecond late, by that number; the last entry counts all. */
  atMostLate: number[];
  sent: number;
  received: number;
  lost: number;
  skipped: number;
  /** Turns that were answered, and their summed milliseconds from the end of the pause to the first packet. */
  turns: number;
  turnsMs: number;
  /** Processor time of this thread since its start. */
  cpuMs: number;
  rssBytes: number;
};

const { portMin, portMax, realtimeUrl, cascadeUrl, audio, recordTo } = workerData as MediaWorkerData;

const media = createMedia({
  host: '127.0.0.1',
  portMin,
  portMax,
  rtpTimeoutMs: 60_000,
  mayUse: () => true,
});
let sessions: MediaSession[] = [];
let phone: Phone | undefined;

/** Nobody may call, so that every message is a stranger's. */
const strangersOnly = phoneOptions(media);

const speechDefaults = defaultsOf(speechSettings) as SpeechSettings;

const metrics = speechMetrics();
/** Nobody is asked whether he is there, and nobody is hung up on. */
const patient = { reminderTriggerMs: 3_600_000, silenceTimeoutMs: 3_600_000 };

function agentOf(call: number): SpeechSession {
  if (cascadeUrl !== undefined) return cascadeAgent(cascadeUrl);
  if (realtimeUrl === undefined) return echoAgent();
  const realtime = { ...speechDefaults.realtime, url: realtimeUrl, audio: audio ?? 'g711' };
  const engine = createRealtimeEngine({ ...speechDefaults, engine: 'realtime', realtime }, metrics);
  const agent = anAgentInCall({ engine: 'realtime', model: String(call), ...patient });
  return openAgent({ realtime: engine }, agent, noSpeechEvents, voicemailSettings);
}

function cascadeAgent(url: string): SpeechSession {
  const settings = structuredClone(speechDefaults);
  settings.engine = 'cascade';
  for (const service of ['stt', 'llm', 'tts'] as const) settings[service].url = `${url}/${service}`;
  const agent = anAgentInCall({ engine: 'cascade', ...patient });
  return openAgent({ cascade: createCascadeEngine(settings, metrics) }, agent, noSpeechEvents, voicemailSettings);
}

const recordings = createRecordings(() => undefined);

const agents = createAgents({ echo: echoEngine }, voicemailSettings, {
  report: () => undefined,
  tool: () => Promise.resolve('{}'),
  log: () => undefined,
});
let webCalls: WebCalls | undefined;

function openTestCalls(calls: number, port: MessagePort): void {
  const opened = createWebCalls({
    agents,
    recordings,
    post(callId, event) {
      if (event.type === 'frame') port.postMessage({ call: Number(callId), audio: event.audio } satisfies WebSound, []);
    },
    log: () => undefined,
  });
  webCalls = opened;
  port.on('message', ({ call, audio: sound }: WebSound) => {
    opened.receive(String(call), { type: 'audio', audio: sound });
  });
  const agent = anAgentInCall(patient);
  for (let call = 0; call < calls; call += 1) {
    opened.receive(String(call), { type: 'open', agent, recording: null, maxDurationMs: 3_600_000 });
  }
}

async function open(calls: number): Promise<number[]> {
  const events = {
    key: () => undefined,
    silence: () => undefined,
    hangUp: () => undefined,
    transfer: () => Promise.resolve(null),
  };
  for (let call = 0; call < calls; call += 1) {
    const agent = agentOf(call);
    if (recordTo !== undefined) recordings.expect(String(call), join(recordTo, `${call}.wav`));
    const tap = (): SoundTap => recordings.tapOf(String(call));
    sessions.push(await media.open({ srtp: false, speech: () => agent, tap, events }));
  }
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
    turns: metrics.latency.count,
    turnsMs: metrics.latency.sumMs,
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
    case 'test-calls':
      return openTestCalls(request.calls, request.port);
    case 'figures':
      return figures();
    case 'close':
      media.close();
      for (const call of sessions.keys()) void recordings.end(String(call));
      await recordings.settled();
      recordings.close();
      webCalls?.close();
      await phone?.close();
      sessions = [];
      return undefined;
  }
}

parentPort!.on('message', async (request: MediaRequest) => {
  parentPort!.postMessage(await answer(request), []);
  if (request.type === 'close') parentPort!.close();
});
