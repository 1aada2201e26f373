import type { SharedDeadline } from '../../../../base/shared-deadline.ts';
import type { WorkerProtocol } from '../../../../base/worker/messages.ts';
import type { HangUp, SpokenFacts } from '../../../../telephony/audio/speech.ts';

import type { Codec } from '../../../../telephony/audio/g711.ts';
import type { MediaMetrics } from '../../../../telephony/media/session.ts';
import type { CheckRequest, CheckResult } from '../../../../telephony/dialog/check.ts';
import type { IncomingDecision, IncomingInvite } from '../../../../telephony/dialog/incoming-invite.ts';
import type { PhoneMetrics } from '../../../../telephony/dialog/phone.ts';
import type { CallReport, DialRequest, SipFacts, Withdrawal } from '../../../../telephony/dialog/reports.ts';
import type { NewCallee } from '../../../../telephony/dialog/transfer.ts';
import type { Credentials } from '../../../../telephony/message/digest.ts';
import type { RecordingReport } from '../../../../talking/recording/recordings.ts';
import type { Account, RegistrationReport } from '../../../../telephony/registration/account.ts';
import type { AgentInCall, SpeechReport, ToolCall } from '../../../../talking/speech/engine.ts';
import type { SpeechMetrics } from '../../../../talking/speech/metrics.ts';
import type { SpeechSettings, VoicemailSettings } from '../../../../talking/speech/settings.ts';
import type { TlsFiles } from '../../../../telephony/transport/connections.ts';

/** Messages between the main thread, which has the database, and the telephony thread, which works without it. */
export type ThreadProtocol = WorkerProtocol & {
  data: ThreadData;
  request: ThreadRequest;
  reply: ThreadReply;
  toThread:
    /** `recording`: the file into which the call is recorded; null if it is not. */
    | { type: 'dial'; request: DialRequest; agent: AgentInCall; recording: string | null }
    | { type: 'hang-up'; callId: string; hangUp: HangUp }
    /** Trunk addresses with their owners; null: no longer one. */
    | { type: 'sources'; changes: ReadonlyArray<readonly [address: string, owner: string | null]> }
    | { type: 'register'; account: Account }
    | { type: 'unregister'; accountId: string }
    | { type: 'web'; callId: string; event: ToWebCall }
    | { type: 'refusal'; number: number; refusal: string | null }
    | { type: 'decision'; number: number; decision: AgentDecision }
    | { type: 'credentials'; number: number; credentials: Credentials | null }
    | { type: 'tool-result'; number: number; result: string }
    | { type: 'transferred'; number: number; refusal: string | null };
  fromThread:
    /** A call comes in; answered by the `decision` with the same number. */
    | { type: 'invite'; number: number; invite: IncomingInvite }
    /** An INVITE is about to leave; answered by the `refusal` with the same number: why it may not, or null. */
    | { type: 'may-ring'; number: number; callId: string }
    /** The credentials for ending a call of the previous process; answered by the `credentials` with the same number. */
    | { type: 'credentials'; number: number; callId: string }
    /** The agent hands its call on; answered by the `transferred` with the same number. */
    | { type: 'transfer'; number: number; callId: string; to: string }
    /** The model of a call uses a tool; answered by the `tool-result` with the same number. */
    | { type: 'tool'; number: number; callId: string; use: ToolCall }
    | { type: 'report'; callId: string; report: CallReport; speech: SpokenFacts | null }
    | { type: 'speech'; callId: string; report: SpeechReport }
    | { type: 'web'; callId: string; event: FromWebCall }
    | { type: 'recording'; callId: string; report: RecordingReport }
    | { type: 'registration'; accountId: string; report: RegistrationReport }
    | { type: 'log'; level: 'trace' | 'info' | 'warn'; fields: object; message: string };
};

/** What a test call is told. */
export type ToWebCall =
  | { type: 'open'; agent: AgentInCall; recording: string | null; maxDurationMs: number }
  /** µ-law, whole frames of 20 ms. */
  | { type: 'audio'; audio: Uint8Array }
  | { type: 'key'; digit: string }
  | { type: 'text'; text: string }
  /** The other side is gone, or the call has ended otherwise. */
  | { type: 'close' };

export type FromWebCall =
  | { type: 'frame'; audio: Uint8Array }
  /** An interruption: what was sent and is not played yet is not wanted any more. */
  | { type: 'clear' }
  /** `hangUp`: how the agent ended the call; null if the other side did. */
  | { type: 'ended'; hangUp: HangUp | null; talkedMs: number; speech: SpokenFacts | null };

/** How a call that comes in is answered, and by which agent. */
export type AgentDecision =
  | { decision: Extract<IncomingDecision, { accepted: true }>; agent: AgentInCall; recording: string | null }
  | { decision: Extract<IncomingDecision, { accepted: false }>; agent: null; recording: null };

export type ThreadData = {
  host: string;
  port: number;
  tlsPort: number | null;
  tls: TlsFiles;
  advertisedHost: string | null;
  rtpPortMin: number;
  rtpPortMax: number;
  rtpTimeoutMs: number;
  speech: SpeechSettings;
  voicemail: VoicemailSettings;
  codecs: readonly Codec[];
  srtp: 'auto' | 'required' | 'off';
  sessionExpiresSec: number;
  allowNetworks: readonly string[];
  inboundNetworks: readonly string[];
  userAgent: string;
  /** Whether SIP messages are logged. */
  trace: boolean;
  secret: string;
  /** Null: dialogs are not noted. */
  journalFile: string | null;
  /** Until when this process may begin calls; null: always. */
  turnEnds: SharedDeadline | null;
};

/** One member per operation, so that each has its own reply. */
export type ThreadRequest =
  /** Opens signalling. */
  | { type: 'open' }
  | { type: 'send-keys'; callId: string; digits: string }
  | { type: 'say'; callId: string; text: string }
  | ({ type: 'transfer'; callId: string } & NewCallee)
  | ({ type: 'check' } & CheckRequest)
  /** Answered when no INVITE of those of the calls that have not rung leaves any more. */
  | { type: 'withdraw'; withdrawals: readonly Withdrawal[] }
  | { type: 'metrics' }
  | { type: 'facts'; callIds: readonly string[] }
  | { type: 'stop'; graceMs: number };

export type ThreadReply = {
  port?: number;
  /** The answer to `send-keys` and `say`: whether it was done. */
  done?: boolean;
  /** The answer to `transfer`: the other side's refusal, or null. */
  refusal?: string | null;
  check?: CheckResult;
  metrics?: ThreadMetrics;
  /** The answer to `facts`, for the calls that are live in this thread. */
  facts?: ReadonlyMap<string, SipFacts>;
  /** Part of the answer to `facts`: the figures of agents that are opened. */
  speech?: ReadonlyMap<string, SpokenFacts>;
};

export type ThreadMetrics = {
  phone: PhoneMetrics;
  media: MediaMetrics;
  speech: SpeechMetrics;
  /** Milliseconds of sound of test calls that came too early and were dropped. */
  webDroppedMs: number;
  /** How late packets were sent. `atMost`: by milliseconds, how many were at most that late; `count` and `sumMs` are of all packets. */
  lateness: { atMost: Readonly<Record<number, number>>; count: number; sumMs: number };
};
