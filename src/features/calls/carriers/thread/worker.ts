import { lookup, resolveSrv } from 'node:dns/promises';
import { monotonicMs } from '../../../../base/clock.ts';
import { isInNetworks, isPublicAddress, parseNetworks } from '../../../../base/outbound/addresses.ts';
import { isAhead } from '../../../../base/shared-deadline.ts';
import { parentOf } from '../../../../base/worker/parent.ts';
import type { IncomingDecision, IncomingInvite } from '../../../../telephony/dialog/incoming-invite.ts';
import { openPhone, type Phone } from '../../../../telephony/dialog/phone.ts';
import { createMedia } from '../../../../telephony/media/media.ts';
import type { Credentials } from '../../../../telephony/message/digest.ts';
import type { Resolver } from '../../../../telephony/transport/resolve.ts';
import type { CallReport } from '../../../../telephony/dialog/reports.ts';
import { createRecordings } from '../../../../talking/recording/recordings.ts';
import { createCascadeEngine } from '../../../../talking/speech/cascade/engine.ts';
import type { AgentInCall } from '../../../../talking/speech/engine.ts';
import { echoEngine } from '../../../../talking/speech/echo/echo.ts';
import { speechMetrics } from '../../../../talking/speech/metrics.ts';
import { createRealtimeEngine } from '../../../../talking/speech/realtime/engine.ts';
import { createAgents } from './agents.ts';
import { createWebCalls } from './web-calls.ts';
import type { AgentDecision, ThreadMetrics, ThreadProtocol, ThreadReply, ThreadRequest } from './protocol.ts';

/** The telephony thread: signalling, sound and speech of all calls, so that no pause of the main thread is heard. */

const parent = parentOf<ThreadProtocol>();
const { data } = parent;

const networks = parseNetworks(data.allowNetworks);
const inboundNetworks = parseNetworks(data.inboundNetworks);
const isAllowed = (address: string): boolean => isPublicAddress(address, networks);

const resolver: Resolver = {
  srv: (name) => resolveSrv(name),
  addresses: async (name) => (await lookup(name, { all: true })).map(({ address }) => address),
};

const media = createMedia({
  host: data.host,
  portMin: data.rtpPortMin,
  portMax: data.rtpPortMax,
  rtpTimeoutMs: data.rtpTimeoutMs,
  mayUse: isAllowed,
});

const speech = speechMetrics();

const engines = {
  echo: echoEngine,
  realtime: createRealtimeEngine(data.speech, speech),
  cascade: createCascadeEngine(data.speech, speech),
};

const agents = createAgents(engines, data.voicemail, {
  report: (callId, report) => parent.post({ type: 'speech', callId, report }),
  tool: (callId, use) => ask<string>({ type: 'tool', callId, use }),
  log: (level, fields, message) => parent.post({ type: 'log', level, fields, message }),
});

const recordings = createRecordings((callId, report) => parent.post({ type: 'recording', callId, report }));

const webCalls = createWebCalls({
  agents,
  recordings,
  post: (callId, event) => parent.post({ type: 'web', callId, event }),
  log: (fields, message) => parent.post({ type: 'log', level: 'info', fields, message }),
});

let phone: Phone | undefined;

/** Resolvers of the questions that the main thread has not answered, by number. */
const questions = new Map<number, (answer: never) => void>();
let lastQuestion = 0;

type Asked<Q> = Q extends { number: number } ? Omit<Q, 'number'> : never;

function ask<A>(question: Asked<ThreadProtocol['fromThread']>): Promise<A> {
  const number = (lastQuestion += 1);
  parent.post({ ...question, number });
  return new Promise<A>((resolve) => questions.set(number, resolve));
}

function takeAnswer(number: number, given: unknown): void {
  questions.get(number)?.(given as never);
  questions.delete(number);
}

function expectCall(callId: string, agent: AgentInCall, recording: string | null): void {
  agents.expect(callId, agent);
  if (recording !== null) recordings.expect(callId, recording);
}

async function decide(invite: IncomingInvite): Promise<IncomingDecision> {
  const { decision, agent, recording } = await ask<AgentDecision>({ type: 'invite', invite });
  if (decision.accepted && agent) expectCall(decision.callId, agent, recording);
  return decision;
}

/** After one of these reports nothing more is heard of a call. */
const isLast = ({ type }: CallReport): boolean => type === 'ended' || type === 'withdrawn' || type === 'out-of-reach';

function passOn(callId: string, told: CallReport): void {
  const facts = isLast(told) ? agents.end(callId) : agents.facts(callId);
  const post = (): void => parent.post({ type: 'report', callId, report: told, speech: facts });
  const recorded = isLast(told) ? recordings.end(callId) : undefined;
  // Whoever hears of the end finds the whole recording.
  if (recorded) void recorded.then(post);
  else post();
}

/** An INVITE leaves within this time (ms, real) after it was allowed: where the process stood still meanwhile, another node may be active. */
const maxAllowedMs = 2000;
const maxQuestions = 3;

async function refusalOf(callId: string): Promise<string | null> {
  for (let asked = 0; asked < maxQuestions; asked += 1) {
    const askedMs = monotonicMs();
    const refusal = await ask<string | null>({ type: 'may-ring', callId });
    if (refusal !== null || monotonicMs() - askedMs < maxAllowedMs) return refusal;
  }
  return 'It took too long to decide whether the call may still be made.';
}

let opening: Promise<Phone> | undefined;

async function open(): Promise<ThreadReply> {
  const { host, port, tlsPort, tls, advertisedHost, codecs, srtp, sessionExpiresSec, userAgent } = data;
  opening ??= openPhone({
    transport: { host, port, tlsPort, tls, advertisedHost },
    settings: { codecs, srtp, sessionExpiresSec, userAgent },
    media,
    speech: {
      open: (callId) => agents.open(callId),
      tapOf: (callId) => recordings.tapOf(callId),
      turns(callId) {
        const { turns = 0, interruptions = 0 } = agents.facts(callId) ?? {};
        return { turns, interruptions };
      },
      transfer: (callId, to) => ask<string | null>({ type: 'transfer', callId, to }),
    },
    resolver,
    journalFile: data.journalFile,
    secret: data.secret,
    trace: data.trace,
    isAllowed,
    isInbound: (address) => isInNetworks(address, inboundNetworks),
    decide,
    refusalOf,
    mayInvite: () => data.turnEnds === null || isAhead(data.turnEnds),
    credentialsOf: (callId) => ask<Credentials | null>({ type: 'credentials', callId }),
    report: passOn,
    reportRegistration: (accountId, report) => parent.post({ type: 'registration', accountId, report }),
    log: (level, fields, message) => parent.post({ type: 'log', level, fields, message }),
  });
  try {
    phone = await opening;
    return { port: phone.port };
  } catch (error) {
    opening = undefined;
    throw error;
  }
}

const latenessBoundsMs = [1, 2, 5, 10, 20, 50, 100];

function metricsOf(opened: Phone | undefined): ThreadMetrics {
  const { lateness } = media;
  const atMost = Object.fromEntries(latenessBoundsMs.map((ms) => [ms, lateness.atMost(ms)]));
  return {
    phone: opened?.metrics() ?? { responses: {}, dropped: {} },
    media: media.metrics(),
    speech,
    webDroppedMs: webCalls.droppedMs(),
    lateness: { atMost, count: lateness.count(), sumMs: lateness.sumMs() },
  };
}

async function answer(request: ThreadRequest): Promise<ThreadReply> {
  if (request.type === 'open') return open();
  switch (request.type) {
    case 'send-keys':
      return { done: phone?.sendKeys(request.callId, request.digits) ?? false };
    case 'say':
      return { done: phone?.say(request.callId, request.text) === true || agents.say(request.callId, request.text) };
    case 'transfer':
      return phone ? { refusal: await phone.transfer(request.callId, request) } : {};
    case 'check':
      return phone ? { check: await phone.check(request) } : {};
    case 'withdraw':
      phone?.withdraw(request.withdrawals);
      return {};
    case 'facts':
      return { facts: phone?.facts(request.callIds) ?? new Map(), speech: agents.factsOf(request.callIds) };
    case 'metrics':
      return { metrics: metricsOf(phone) };
    case 'stop':
      await phone?.stop(request.graceMs);
      await recordings.settled();
      return {};
  }
}

parent.serve({
  answer,
  receive(message) {
    if (message.type === 'dial') {
      expectCall(message.request.id, message.agent, message.recording);
      phone?.dial(message.request);
    } else if (message.type === 'hang-up') phone?.hangUp(message.callId, message.hangUp);
    else if (message.type === 'sources') phone?.setSources(message.changes);
    else if (message.type === 'register') phone?.register(message.account);
    else if (message.type === 'unregister') phone?.unregister(message.accountId);
    else if (message.type === 'web') webCalls.receive(message.callId, message.event);
    else if (message.type === 'decision') takeAnswer(message.number, message.decision);
    else if (message.type === 'tool-result') takeAnswer(message.number, message.result);
    else if (message.type === 'refusal' || message.type === 'transferred') takeAnswer(message.number, message.refusal);
    else takeAnswer(message.number, message.credentials);
  },
  end() {
    media.close();
    recordings.close();
    webCalls.close();
    void phone?.close();
  },
});
