import { messageOf } from '../../../../base/errors.ts';
import { faultPoint } from '../../../../base/fault-points.ts';
import { createSlots } from '../../../../base/fair/slots.ts';
import { isInNetworks, parseNetworks } from '../../../../base/outbound/addresses.ts';
import { isE164 } from '../../../../base/phone.ts';
import { countryOf, nationalPhone } from '../../../../base/written-phone.ts';
import type { Tx } from '../../../../db/transaction.ts';
import type { App } from '../../../../kernel/app.ts';
import type { IncomingInvite } from '../../../../telephony/dialog/incoming-invite.ts';
import type { PhoneNumber } from '../../../numbers/number.ts';
import { askForLine } from '../../carrier-lines.ts';
import { type Refusal, takeIncoming } from '../../incoming.ts';
import { agentInCall } from '../thread/agent-in-call.ts';
import type { AgentDecision } from '../thread/protocol.ts';
import type { SpeechSettings } from '../../../../talking/speech/settings.ts';
import { calledNumber, withPlus } from './called-number.ts';
import { recordingFileOf } from '../../recordings/service.ts';
import type { CallRegistry } from './call-registry.ts';
import { credentialsOf } from './credentials.ts';
import type { NumberRegistrations } from './registrations.ts';
import type { SipSettings } from './settings.ts';
import type { TrunkSources } from './trunk-sources.ts';

/** Decides on calls that come in. */
export type Incoming = {
  /** Never rejects: a call that cannot be decided on is refused. */
  decide(this: void, invite: IncomingInvite): Promise<AgentDecision>;
  /** Refuses all calls from now on. */
  stop(): void;
};

type Parts = {
  driver: string;
  settings: SipSettings;
  speech: SpeechSettings;
  registry: CallRegistry;
  sources: TrunkSources;
  registrations: NumberRegistrations;
};

/** Calls of one owner that may wait for their decision. The thread lets an owner send 50 a second, a decision takes a few ms. */
const maxWaiting = 100;

const tooMany = (): Error => new Error('too many calls of the same owner wait for a decision');

const unavailable: Refusal = { status: 503, phrase: 'Service Unavailable', reason: '' };

export function createIncoming(
  app: App,
  { driver, settings, speech, registry, sources, registrations }: Parts,
): Incoming {
  const networks = parseNetworks(settings.inbound_networks);
  const slots = createSlots({ max: 1, waiting: { max: maxWaiting, full: tooMany } });
  let isStopping = false;

  const isTrusted = (invite: IncomingInvite, { orgId, terminationUri: uri, transport }: PhoneNumber): boolean =>
    isInNetworks(invite.source, networks) || (uri !== null && sources.isFrom(orgId, { uri, transport }, invite.source));

  async function obstacle(tx: Tx, invite: IncomingInvite, { orgId }: PhoneNumber): Promise<Refusal | null> {
    if (invite.fault !== null) return { status: 488, phrase: 'Not Acceptable Here', reason: invite.fault };
    const reason = await askForLine(app, tx, { orgId, carrier: driver });
    return reason === undefined ? null : { status: 486, phrase: 'Busy Here', reason };
  }

  async function take(invite: IncomingInvite): Promise<AgentDecision | Refusal> {
    if (isStopping) return { ...unavailable, reason: 'the server is stopping' };
    const taken = await takeIncoming(app, {
      driver,
      to: await calledNumber(app, invite, { sources, registrations, isTrusted: (number) => isTrusted(invite, number) }),
      callerOf: (number) => callerOf(invite, number),
      isTrusted: (number) => isTrusted(invite, number),
      obstacle: (tx, number) => obstacle(tx, invite, number),
      source: invite.source,
    });
    if ('status' in taken) return taken;
    const { call, number } = taken;
    const agent = await agentInCall(app, speech, call);
    const recording = await recordingFileOf(app, call);
    faultPoint('incoming.unanswered');
    void registry.add(call); // it is no trunk that might be out of reach
    const decision = {
      accepted: true as const,
      callId: call.id,
      user: number.dialFormat === 'digits' ? call.to.slice(1) : call.to,
      credentials: credentialsOf(app, number),
      maxDurationMs: call.maxDurationMs,
    };
    return { decision, agent, recording };
  }

  return {
    async decide(invite) {
      let taken: AgentDecision | Refusal;
      try {
        taken = await slots.run(sources.ownerOf(invite.source), () => take(invite));
      } catch (error) {
        taken = { ...unavailable, reason: messageOf(error) };
      }
      if ('decision' in taken) return taken;
      const { status, phrase, reason } = taken;
      app.log.info({ source: invite.source, to: invite.called[0], status, reason }, 'an incoming call was refused');
      return { decision: { accepted: false, status, phrase }, agent: null, recording: null };
    },
    stop: () => void (isStopping = true),
  };
}

/**
 * The caller, written as E.164 or as the country of our number writes it. Trunks that want numbers without `+` write callers without it, too.
 * What may be something else, such as an extension, names nobody.
 */
function callerOf({ callers }: IncomingInvite, { dialFormat, phone }: PhoneNumber): string | null {
  const country = countryOf(phone);
  for (const caller of callers) {
    const international = dialFormat === 'digits' && /^\d/.test(caller) ? withPlus(caller) : caller;
    if (isE164(international)) return international;
    const national = country !== null && /^\d+$/.test(caller) ? nationalPhone(caller, country) : undefined;
    if (national !== undefined) return national;
  }
  return null;
}
