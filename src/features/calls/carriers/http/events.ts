import { createHash } from 'node:crypto';
import { isoOf } from '../../../../base/clock.ts';
import { notFound } from '../../../../base/errors.ts';
import { transact, type Tx } from '../../../../db/transaction.ts';
import type { App } from '../../../../kernel/app.ts';
import {
  type Call,
  type CallOutcome,
  type CallStatus,
  type DisconnectReason,
  plainOutcome,
  type PostCallAnalysis,
  type TranscriptEntry,
} from '../../call.ts';
import { endCall, findCall, reportProgress, supplement } from '../../service.ts';
import { fitting } from './transcript-limit.ts';

export type SpokenEntry = { id?: string | null; timestamp_ms: number; role: 'agent' | 'user'; content: string };

export type CallEnd = {
  type: 'ended';
  status: CallStatus;
  disconnect_reason?: DisconnectReason | null;
  error_message?: string | null;
  invalid_number?: boolean | null;
  summary?: string | null;
  recording_url?: string | null;
  cost_total?: number | null;
  call_latency_ms?: number | null;
  post_call_analysis?: PostCallAnalysis | null;
  duration_sec?: number | null;
  /** The whole conversation. */
  entries?: readonly SpokenEntry[] | null;
};

/** What the voice runtime reports; `at` (Unix milliseconds) is when it happened by the runtime's clock. */
export type CallEvent = { at?: number } & (
  | { type: 'ringing' }
  | { type: 'answered' }
  | { type: 'transcript'; entries: readonly SpokenEntry[] }
  | CallEnd
);

/**
 * Takes a report of a call in whatever order, and however often, it comes; answers the call as it is then. Late `ringing` and
 * `answered` change nothing, an entry of the conversation counts once. An end without an answer before it counts the answer, too.
 * After the end a further `ended` only adds what is missing: how the call ended is known, counted and sent on by then.
 * @throws notFound
 */
export async function receiveEvent(app: App, callId: string, event: CallEvent): Promise<Call> {
  const known = await findCall(app.db, callId);
  if (!known) throw notFound('call');
  return transact(app.db, known.orgId, async (tx) => {
    const call = await findCall(tx, callId);
    if (!call) throw notFound('call');
    await apply(app, tx, call, event);
    return (await findCall(tx, callId))!;
  });
}

async function apply(app: App, tx: Tx, call: Call, event: CallEvent): Promise<void> {
  if (event.type === 'ended') {
    const outcome = outcomeOf(app, call, event);
    await (call.state === 'ended' ? supplement(tx, call, outcome) : endCall(app, tx, call, outcome));
  } else if (event.type === 'transcript') {
    await reportProgress(app, tx, call, {
      type: 'transcript',
      entries: entriesOf(app, call, event.entries, call.transcripts),
    });
  } else {
    await reportProgress(app, tx, call, event);
  }
}

function outcomeOf(app: App, call: Call, event: CallEnd & { at?: number }): CallOutcome {
  const { status, duration_sec: durationSec } = event;
  const failed = status === 'failed';
  const answered = call.answeredAt !== null || status === 'completed' || (durationSec ?? 0) > 0;
  return plainOutcome(status, {
    // Null for calls nobody answered, `error` for failed ones (contract, section 7), whatever the runtime calls it.
    disconnectReason: failed ? 'error' : answered ? (event.disconnect_reason ?? null) : null,
    errorMessage:
      status === 'completed'
        ? null
        : (event.error_message ?? (failed ? 'The carrier gave no reason for the failure.' : null)),
    invalidNumber: failed && event.invalid_number === true,
    summary: event.summary ?? null,
    recordingUrl: event.recording_url ?? null,
    costTotal: event.cost_total ?? 0,
    callLatencyMs: typeof event.call_latency_ms === 'number' ? Math.round(event.call_latency_ms) : null,
    analysis: event.post_call_analysis ?? null,
    transcripts: event.entries?.length ? entriesOf(app, call, event.entries, []) : null,
    ...(typeof durationSec === 'number' ? { durationSec: Math.round(durationSec) } : {}),
    ...(event.at === undefined ? {} : { endedAt: event.at }),
  });
}

/** What was said as it is kept, beside what is kept already; what is too much of it is left out, and logged. */
function entriesOf(
  app: App,
  call: Call,
  entries: readonly SpokenEntry[],
  known: readonly TranscriptEntry[],
): TranscriptEntry[] {
  const startedAt = call.answeredAt ?? call.startedAt ?? app.clock.now();
  const said = entries.map((entry) => ({
    id: entry.id ?? idOf(call, entry),
    timestamp_ms: Math.round(entry.timestamp_ms),
    role: entry.role,
    message: { content: entry.content, format: 'text' },
    created_at: isoOf(startedAt + Math.round(entry.timestamp_ms)),
  }));
  const kept = fitting(known, said);
  const leftOut = said.length - kept.length;
  if (leftOut > 0) app.log.warn({ call: call.id, leftOut }, 'a transcript is too long: entries are left out');
  return kept;
}

/** The same entry of the same call always has the same id (UUIDv8, RFC 9562): that is how a repeated one is known. */
function idOf(call: Call, { timestamp_ms: timestampMs, role, content }: SpokenEntry): string {
  const digest = createHash('sha256').update(`${call.id}/${timestampMs}/${role}/${content}`).digest();
  digest[6] = (digest[6]! & 0x0f) | 0x80;
  digest[8] = (digest[8]! & 0x3f) | 0x80;
  return digest.toString('hex', 0, 16).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
