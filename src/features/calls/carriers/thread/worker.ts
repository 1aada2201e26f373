import { lookup, resolveSrv } from 'node:dns/promises';
import { isInNetworks, isPublicAddress, parseNetworks } from '../../../../base/outbound/addresses.ts';
import { parentOf } from '../../../../base/worker/parent.ts';
import type { IncomingDecision, IncomingInvite } from '../../../../telephony/dialog/incoming-invite.ts';
import { openPhone, type Phone } from '../../../../telephony/dialog/phone.ts';
import { createMedia } from '../../../../telephony/media/media.ts';
import type { Credentials } from '../../../../telephony/message/digest.ts';
import type { Resolver } from '../../../../telephony/transport/resolve.ts';
import type { ThreadMetrics, ThreadProtocol, ThreadReply, ThreadRequest } from './protocol.ts';
import { echoEngine } from './speech/echo.ts';

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

const media = createMedia(
  {
    host: data.host,
    portMin: data.rtpPortMin,
    portMax: data.rtpPortMax,
    rtpTimeoutMs: data.rtpTimeoutMs,
    mayUse: isAllowed,
  },
  echoEngine,
);

let phone: Phone | undefined;

/** Questions to the main thread that it has not answered, by number. */
const decisions = new Map<number, (decision: IncomingDecision) => void>();
const credentials = new Map<number, (answer: Credentials | null) => void>();
let lastQuestion = 0;

function decide(invite: IncomingInvite): Promise<IncomingDecision> {
  const number = (lastQuestion += 1);
  parent.post({ type: 'invite', number, invite });
  return new Promise((resolve) => decisions.set(number, resolve));
}

function credentialsOf(callId: string): Promise<Credentials | null> {
  const number = (lastQuestion += 1);
  parent.post({ type: 'credentials', number, callId });
  return new Promise((resolve) => credentials.set(number, resolve));
}

function takeAnswer<A>(asked: Map<number, (given: A) => void>, number: number, given: A): void {
  asked.get(number)?.(given);
  asked.delete(number);
}

async function open(): Promise<ThreadReply> {
  const { host, port, tlsPort, tls, advertisedHost, codecs, srtp, sessionExpiresSec, userAgent } = data;
  phone = await openPhone({
    transport: { host, port, tlsPort, tls, advertisedHost },
    settings: { codecs, srtp, sessionExpiresSec, userAgent },
    media,
    resolver,
    journalFile: data.journalFile,
    secret: data.secret,
    trace: data.trace,
    isAllowed,
    isInbound: (address) => isInNetworks(address, inboundNetworks),
    decide,
    credentialsOf,
    report: (callId, report) => parent.post({ type: 'report', callId, report }),
    log: (level, fields, message) => parent.post({ type: 'log', level, fields, message }),
  });
  return { port: phone.port };
}

const latenessBoundsMs = [1, 2, 5, 10, 20, 50, 100];

function metricsOf(opened: Phone): ThreadMetrics {
  const { lateness } = media;
  const atMost = Object.fromEntries(latenessBoundsMs.map((ms) => [ms, lateness.atMost(ms)]));
  return {
    phone: opened.metrics(),
    media: media.metrics(),
    lateness: { atMost, count: lateness.count(), sumMs: lateness.sumMs() },
  };
}

async function answer(request: ThreadRequest): Promise<ThreadReply> {
  if (request.type === 'open') return open();
  const opened = phone!; // `open` is always the first request
  switch (request.type) {
    case 'send-keys':
      return { done: opened.sendKeys(request.callId, request.digits) };
    case 'say':
      return { done: opened.say(request.callId, request.text) };
    case 'transfer':
      return { refusal: await opened.transfer(request.callId, request) };
    case 'check':
      return { check: await opened.check(request) };
    case 'facts':
      return { facts: opened.facts(request.callIds) };
    case 'metrics':
      return { metrics: metricsOf(opened) };
    case 'stop':
      await opened.stop(request.graceMs);
      return {};
  }
}

parent.serve({
  answer,
  receive(message) {
    if (message.type === 'dial') phone?.dial(message.request);
    else if (message.type === 'hang-up') phone?.hangUp(message.callId, message.hangUp);
    else if (message.type === 'sources') phone?.setSources(message.changes);
    else if (message.type === 'decision') takeAnswer(decisions, message.number, message.decision);
    else takeAnswer(credentials, message.number, message.credentials);
  },
  end() {
    media.close();
    void phone?.close();
  },
});
