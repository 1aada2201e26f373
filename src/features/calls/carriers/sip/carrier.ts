import type { App } from '../../../../kernel/app.ts';
import { messageOf } from '../../../../base/errors.ts';
import type { DialRequest } from '../../../../telephony/dialog/reports.ts';
import { writtenHostPort } from '../../../../telephony/message/uri.ts';
import type { PhoneNumber } from '../../../numbers/number.ts';
import { findNumber } from '../../../numbers/service.ts';
import type { Call } from '../../call.ts';
import { recordingFileOf } from '../../recordings/service.ts';
import type { Carrier, DialAnswer, TrunkCheck } from '../carrier.ts';
import { agentInCall } from '../thread/agent-in-call.ts';
import type { SpeechSettings } from '../../../../talking/speech/settings.ts';
import { shownFacts } from '../thread/speech-books.ts';
import type { TelephonyThread } from '../thread/thread.ts';
import { sharedCheckThread } from './offline.ts';
import type { Line } from './line.ts';
import { costOf } from './cost.ts';
import { credentialsOf } from './credentials.ts';
import { liveControl } from './live-control.ts';
import type { SipSettings } from './settings.ts';

/** `callee`: the user that every call goes to instead of the called number. */
type OutgoingSettings = SipSettings & { speech: SpeechSettings; callee: string | undefined };

/** `line`: undefined while nothing listens. `listen` rejects with the reason why nothing can. */
export type LineSource = { line(this: void): Line | undefined; listen(this: void): Promise<Line> };

/**
 * Calls over the SIP trunk of the caller's number (docs/api/telephony.md). `dial` only hands the call to the telephony thread; whether the
 * trunk is in reach shows later (`reach`), since a callee may ring for long before the trunk says anything.
 */
export function sipCarrier(settings: OutgoingSettings, { line, listen }: LineSource): Carrier {
  const checks = sharedChecks();
  const checkThread = sharedCheckThread();
  return {
    maxRequestMs: 0,
    maxCalls: { calls: settings.max_calls, setting: 'sip.max_calls' },
    async dial(app, call): Promise<DialAnswer> {
      const number = await findNumber(app.db, call.orgId, call.phoneNumberId);
      const refusal = refusalOf(settings, call, number);
      if (refusal) return refusal;
      const open = await listen().catch(messageOf);
      if (typeof open === 'string') return { accepted: false, outOfReach: true, reason: open, nothingThere: true };
      const recording = await recordingFileOf(app, call);
      const agent = await agentInCall(app, settings.speech, call);
      const reach = open.registry.add(call);
      const request = dialRequestOf(app, settings, call, number!);
      open.thread.post({ type: 'dial', request, agent, recording });
      return { accepted: true, reach };
    },
    knows: (_app, callId) => Promise.resolve(line()?.registry.has(callId) ?? false),
    costOf,
    async liveFacts(callIds) {
      const { facts, speech } = (await line()?.thread.request({ type: 'facts', callIds })) ?? {};
      return new Map(
        [...(facts ?? [])].map(([id, sip]) => {
          const spoken = shownFacts(speech?.get(id));
          return [id, { sip, ...(spoken && { speech: spoken }) }];
        }),
      );
    },
    control: liveControl(settings, line),
    check: (app, number) =>
      checks(number, () => checkThread(app, settings, line()?.thread, (thread) => checked(number, thread))),
    withdraw: async (withdrawals) => {
      await line()?.thread.request({ type: 'withdraw', withdrawals });
    },
    hangUp(_app, call) {
      line()?.thread.post({ type: 'hang-up', callId: call.id, hangUp: { status: 'completed', errorMessage: null } });
      return Promise.resolve();
    },
  };
}

/** Checks of a number that are asked for while one is running share its answer. */
function sharedChecks() {
  const running = new Map<string, Promise<TrunkCheck>>();
  return ({ id, terminationUri, transport }: PhoneNumber, check: () => Promise<TrunkCheck>): Promise<TrunkCheck> => {
    const key = `${id} ${transport} ${terminationUri}`;
    const known = running.get(key);
    if (known) return known;
    const begun = check().finally(() => running.delete(key));
    running.set(key, begun);
    return begun;
  };
}

export async function checked(number: PhoneNumber, thread: TelephonyThread): Promise<TrunkCheck> {
  const trunk = { uri: number.terminationUri!, transport: number.transport };
  const reply = await thread.request({ type: 'check', trunk, from: dialed(number, number.phone) });
  const { statusCode, hop, durationMs, detail } = reply.check ?? {
    statusCode: null,
    hop: null,
    durationMs: 0,
    detail: 'The telephony thread is not running.',
  };
  return {
    reachable: statusCode !== null,
    statusCode,
    transport: hop?.transport ?? null,
    address: hop && writtenHostPort(hop.address, hop.port),
    durationMs,
    detail,
  };
}

function refusalOf(
  { allowed_prefixes: prefixes }: SipSettings,
  call: Call,
  number: PhoneNumber | undefined,
): DialAnswer | undefined {
  if (number === undefined || number.terminationUri === null) {
    return { accepted: false, reason: `${call.from} has no termination_uri, so it has no SIP trunk to call through.` };
  }
  if (prefixes.length > 0 && !prefixes.some((prefix) => call.to.startsWith(prefix))) {
    const reason = `${call.to} begins with none of the prefixes in sip.allowed_prefixes.`;
    return { accepted: false, reason, invalidNumber: true };
  }
  return undefined;
}

const dialRequestOf = (app: App, settings: OutgoingSettings, call: Call, number: PhoneNumber): DialRequest => ({
  id: call.id,
  from: dialed(number, call.from!), // only incoming calls have none
  to: settings.callee ?? dialed(number, call.to),
  fromUser: number.sipFrom === 'username' ? number.sipUsername : null,
  trunk: { uri: number.terminationUri!, transport: number.transport },
  credentials: credentialsOf(app, number),
  ringTimeoutMs: settings.ring_timeout_ms,
  maxDurationMs: call.maxDurationMs,
});

/** A phone as the trunk wants it. */
const dialed = ({ dialFormat }: PhoneNumber, phone: string): string =>
  dialFormat === 'digits' ? phone.replace(/^\+/, '') : phone;
