import { after, isoOf } from '../../../../base/clock.ts';
import { messageOf } from '../../../../base/errors.ts';
import { transact, type Tx } from '../../../../db/transaction.ts';
import type { App } from '../../../../kernel/app.ts';
import type { SpeechFacts, SpokenFacts } from '../../../../telephony/audio/speech.ts';
import type { Said, SpeechReport } from '../../../../talking/speech/engine.ts';
import type { Call, TranscriptEntry } from '../../call.ts';
import { findCall, recordTranscript } from '../../service.ts';
import { recordTimeline, type TimelineEntry, toolDetail } from '../../timeline.ts';
import { withinLimit } from '../../transcript-limit.ts';

/** The facts as the API shows them; undefined before a session is opened. */
export function shownFacts(spoken: SpokenFacts | null | undefined): SpeechFacts | undefined {
  if (!spoken || spoken.sessions === 0) return undefined;
  const { latencyMs: _, ...facts } = spoken;
  return facts;
}

type Owned = { id: string; orgId: string };

/** Writes what is said in the calls of all channels: all of it together, ten times a second at most. */
export type Transcripts = {
  add(call: Owned, said: Said): void;
  /** Resolves when everything that was added is written, or could not be. */
  flushed(): Promise<void>;
};

const flushEveryMs = 100;

export function createTranscripts(app: App): Transcripts {
  let waiting = new Map<string, { orgId: string; said: Said[] }>();
  let writing: Promise<void> = Promise.resolve();
  let cancel: (() => void) | undefined;

  async function write(batch: typeof waiting): Promise<void> {
    for (const [orgId, calls] of Map.groupBy(batch, ([, { orgId: owner }]) => owner)) {
      try {
        await transact(app.db, orgId, async (tx) => {
          for (const [callId, { said }] of calls) await addSaid(app, tx, callId, said);
        });
      } catch (error) {
        app.log.warn({ calls: calls.length, error: messageOf(error) }, 'transcripts of calls could not be written');
      }
    }
  }

  function flush(): Promise<void> {
    cancel?.();
    cancel = undefined;
    if (waiting.size > 0) {
      const batch = waiting;
      waiting = new Map();
      writing = writing.then(() => write(batch));
    }
    return writing;
  }

  return {
    add({ id, orgId }, said) {
      waiting.getOrInsertComputed(id, () => ({ orgId, said: [] })).said.push(said);
      cancel ??= after(flushEveryMs, () => void flush());
    },
    flushed: flush,
  };
}

async function addSaid(app: App, tx: Tx, callId: string, said: readonly Said[]): Promise<void> {
  const call = await findCall(tx, callId);
  if (!call) return;
  const latest = [...new Map(said.map((entry) => [entry.id, entry])).values()];
  const entries = latest.map((entry) => transcriptEntryOf(call, entry));
  const kept = withinLimit(call.transcripts, entries);
  if (kept.length < entries.length) app.log.warn({ callId }, 'the transcript of a call is too long; dropped entries');
  await recordTranscript(tx, call, kept);
}

function transcriptEntryOf(call: Call, { id, role, text, format, atMs }: Said): TranscriptEntry {
  const at = Math.max(0, Math.round(atMs));
  return {
    id,
    timestamp_ms: at,
    role,
    message: { content: text, format },
    created_at: isoOf((call.answeredAt ?? call.createdAt) + at),
  };
}

function timelineEntryOf(report: Exclude<SpeechReport, { type: 'said' }>): Omit<TimelineEntry, 'at'> {
  switch (report.type) {
    case 'verdict':
      return { type: 'verdict', detail: `${report.verdict}: ${report.detail}` };
    case 'interrupted':
      return { type: 'interrupted', detail: String(Math.round(report.sentMs)) };
    case 'tool':
      return { type: 'tool', detail: toolDetail(report.name, 0, report.fault) };
    case 'speech_lost':
      return { type: 'speech_lost', detail: report.reason };
    default:
      return { type: report.type, detail: null };
  }
}

/** Writes an event of a call's agent into its timeline. */
export const recordSpeechEvent = (
  app: App,
  { id, orgId }: Owned,
  report: Exclude<SpeechReport, { type: 'said' }>,
): Promise<void> =>
  transact(app.db, orgId, async (tx) => {
    if (await findCall(tx, id)) await recordTimeline(tx, id, { at: app.clock.now(), ...timelineEntryOf(report) });
  });
