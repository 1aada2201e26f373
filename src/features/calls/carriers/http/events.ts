import { createHash } from 'node:crypto';
import { isoOf } from '../../../../base/clock.ts';
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
import { callOfRuntime } from './own-call.ts';
import { withinLimit } from '../../transcript-limit.ts';

/** An utterance as the voice runtime sends it; `timestamp_ms` counts from the answer. */
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

/** A report of the voice runtime; `at` (Unix milliseconds) is when it happened by the runtime's clock. */
export type CallEvent = { at?: number } & (
  | { type: 'ringing' }
  | { type: 'answered' }
  | { type: 'transcript'; entries: readonly SpokenEntry[] }
  | CallEnd
);

/**
 * Applies a report and returns the updated call. Reports may come in any order and more than once: a late `ringing` or `answered`
 * changes nothing, and each transcript entry is stored once. An `ended` that is `completed` or has a duration implies the answer. A second
 * `ended` changes neither outcome nor duration, because both have already been counted and sent to webhooks (`supplement`).
 * @throws notFound when there is no such call, or it belongs to another carrier
 */
export async function receiveEvent(app: App, callId: string, event: CallEvent): Promise<Call> {
  const { orgId } = await callOfRuntime(app.db, callId);
  return transact(app.db, orgId, async (tx) => {
    const call = await callOfRuntime(tx, callId);
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
    // Whatever the runtime says: null for unanswered calls, `error` for failed ones.
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

/** Converts reported entries to stored ones. Drops those that would make the transcript too long, and logs how many. */
function entriesOf(
  app: App,
  call: Call,
  entries: readonly SpokenEntry[],
  stored: readonly TranscriptEntry[],
): TranscriptEntry[] {
  const startedAt = call.answeredAt ?? call.startedAt ?? app.clock.now();
  const converted = entries.map((entry): TranscriptEntry => ({
    id: entry.id ?? idOf(call, entry),
    timestamp_ms: Math.round(entry.timestamp_ms),
    role: entry.role,
    message: { content: entry.content, format: 'text' },
    created_at: isoOf(startedAt + Math.round(entry.timestamp_ms)),
  }));
  const kept = withinLimit(stored, converted);
  const dropped = converted.length - kept.length;
  if (dropped > 0) app.log.warn({ callId: call.id, dropped }, 'the transcript of a call is too long; dropped entries');
  return kept;
}

/** Derives the id (UUIDv8, RFC 9562) from the entry itself, so that a repeated entry is recognized. */
function idOf(call: Call, { timestamp_ms: timestampMs, role, content }: SpokenEntry): string {
  const digest = createHash('sha256').update(`${call.id}/${timestampMs}/${role}/${content}`).digest();
  digest[6] = (digest[6]! & 0x0f) | 0x80;
  digest[8] = (digest[8]! & 0x3f) | 0x80;
  return digest.toString('hex', 0, 16).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
