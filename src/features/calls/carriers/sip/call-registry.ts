import { pause } from '../../../../base/clock.ts';
import { messageOf } from '../../../../base/errors.ts';
import { faultPoint } from '../../../../base/fault-points.ts';
import { createUnfinished } from '../../../../base/unfinished.ts';
import { transact, type Tx } from '../../../../db/transaction.ts';
import type { App } from '../../../../kernel/app.ts';
import type { CallReport } from '../../../../telephony/dialog/reports.ts';
import type { SpokenFacts } from '../../../../telephony/audio/speech.ts';
import type { RecordingReport } from '../../../../talking/recording/recordings.ts';
import type { SpeechReport } from '../../../../talking/speech/engine.ts';
import { addDoNotCall } from '../../../contacts/do-not-call.ts';
import { endAnalyzed } from '../../analysis/ending.ts';
import { type Call, plainOutcome } from '../../call.ts';
import { adoptRecording, completeRecording, writeRecording } from '../../recordings/service.ts';
import { endCall, findCall, liveCallsOfDriver, recordSip, recordSpeech, reportProgress } from '../../service.ts';
import { recordTimeline, type TimelineEntry } from '../../timeline.ts';
import { takeBack, takeBackIfForbidden } from '../../withdrawal.ts';
import { createTranscripts, recordSpeechEvent, shownFacts } from '../thread/speech-books.ts';
import type { Reach } from '../carrier.ts';
import { invalidNumbers } from './invalid-numbers.ts';

type Ended = Extract<CallReport, { type: 'ended' }>;

/** The live calls of the telephony thread. Writes what the thread reports of them to the database, each call's reports in order. */
export type CallRegistry = {
  /** Adds a call; resolves when the trunk has answered anything, or certainly never will. Null: the call was taken back before that. */
  add(call: Call): Promise<Reach | null>;
  has(callId: string): boolean;
  /** `speech`: the figures of the call's agent; null before it is opened. */
  record(callId: string, report: CallReport, speech: SpokenFacts | null): void;
  recordSpeech(callId: string, report: SpeechReport): void;
  recordRecording(callId: string, report: RecordingReport): void;
  /** Ends every call, because its thread is gone. */
  failAll(errorMessage: string): void;
  /** Resolves when everything that was reported is written. */
  settled(): Promise<void>;
};

type Entry = {
  id: string;
  orgId: string;
  written: Promise<void>;
  reach: PromiseWithResolvers<Reach | null>;
  rang: boolean;
  /** A mailbox has answered. */
  isMachine: boolean;
};

/**
 * Waits before a report that could not be written, such as on a full disk, is written again. If all attempts fail for the end of a call,
 * the call is ended when its lease runs out.
 */
const retryDelaysMs = [200, 1000, 5000, 30_000];

export function createCallRegistry(app: App): CallRegistry {
  const entries = new Map<string, Entry>();
  const writing = createUnfinished();
  const transcripts = createTranscripts(app);

  function enqueue(callId: string, entry: Entry, apply: () => Promise<void>): void {
    entry.written = entry.written.then(apply).catch((error: unknown) => {
      app.log.warn({ callId, error: messageOf(error) }, 'a report of a call could not be written');
    });
    writing.add(entry.written);
  }

  function record(callId: string, report: CallReport, speech: SpokenFacts | null): void {
    const entry = entries.get(callId);
    if (!entry) return;
    if (report.type === 'reached') return entry.reach.resolve({ reached: true });
    if (report.type === 'ringing' || report.type === 'answered') entry.rang = true;
    if (report.type === 'out-of-reach') {
      entries.delete(callId);
      const { reason, nothingThere, sip } = report;
      return entry.reach.resolve({ reached: false, reason, nothingThere, sip });
    }
    if (report.type === 'ended' || report.type === 'withdrawn') {
      entries.delete(callId);
      entry.reach.resolve(report.type === 'ended' ? { reached: true } : null);
    }
    enqueue(callId, entry, async () => {
      if (report.type === 'ended') await transcripts.flushed();
      await write(app, entry, report, speech);
    });
  }

  return {
    add(call) {
      const reach = Promise.withResolvers<Reach | null>();
      entries.set(call.id, {
        id: call.id,
        orgId: call.orgId,
        written: Promise.resolve(),
        reach,
        rang: false,
        isMachine: false,
      });
      return reach.promise;
    },
    has: (callId) => entries.has(callId),
    record,
    recordSpeech(callId, report) {
      const entry = entries.get(callId);
      if (!entry) return;
      if (report.type === 'said') return transcripts.add(entry, report.said);
      if (report.type === 'verdict') entry.isMachine = report.verdict === 'machine';
      enqueue(callId, entry, () => recordSpeechEvent(app, entry, report));
    },
    recordRecording(callId, report) {
      const entry = entries.get(callId);
      if (!entry) return;
      const apply = (): Promise<void> => writeRecording(app, callId, entry.orgId, report);
      // A disk that is full of recordings may have no room for this, either.
      enqueue(callId, entry, report.type === 'broken-off' ? () => persistently(app, callId, apply) : apply);
    },
    failAll(errorMessage) {
      for (const [callId, entry] of [...entries]) {
        enqueue(callId, entry, async () => void (await completeRecording(app, callId)));
        record(callId, { type: 'ended', ...lost(errorMessage) }, null);
      }
    },
    settled: () => writing.settled(),
  };
}

const lost = (errorMessage: string): Pick<Ended, 'end' | 'sip'> => ({
  end: {
    status: 'failed',
    disconnectReason: 'error',
    errorMessage,
    invalidNumber: false,
    unwanted: false,
    talkedMs: null,
  },
  sip: null,
});

async function write(app: App, entry: Entry, report: CallReport, speech: SpokenFacts | null): Promise<void> {
  const { id: callId, orgId } = entry;
  const apply = (): Promise<void> =>
    transact(app.db, orgId, async (tx) => {
      const call = await findCall(tx, callId);
      if (!call) return;
      if (report.type === 'answered') faultPoint('call-answer.unrecorded');
      for (const event of timelineEntriesOf(report)) {
        await recordTimeline(tx, call.id, { at: app.clock.now(), ...event });
      }
      const facts = shownFacts(speech);
      if (facts) await recordSpeech(tx, call.id, facts);
      if (report.type === 'ringing') await reportProgress(app, tx, call, { type: 'ringing' });
      if (report.type === 'answered') {
        await recordSip(tx, call.id, report.sip);
        await reportProgress(app, tx, call, { type: 'answered' });
      }
      if (report.type === 'withdrawn') {
        await recordSip(tx, call.id, report.sip);
        await takeBack(app, tx, call, report.reason);
      }
      if (report.type === 'ended' && !(report.sip === null && (await takeBackIfForbidden(app, tx, call))))
        await recordEnd(app, tx, call, report, { ...entry, speech });
    });
  return report.type === 'ended' || report.type === 'withdrawn' ? persistently(app, callId, apply) : apply();
}

async function persistently(app: App, callId: string, apply: () => Promise<void>): Promise<void> {
  for (const delayMs of retryDelaysMs) {
    try {
      return await apply();
    } catch (error) {
      app.log.warn({ callId, error: messageOf(error) }, 'a report of a call could not be written; it is tried again');
      await pause(delayMs);
    }
  }
  return apply();
}

function timelineEntriesOf(report: CallReport): Array<Omit<TimelineEntry, 'at'>> {
  if (report.type === 'invited') return [{ type: 'invite', detail: report.target }];
  if (report.type === 'ringing') return [{ type: 'ringing', detail: null }];
  if (report.type === 'answered') return [{ type: 'answered', detail: report.sip.codec }];
  if (report.type === 'key') return [{ type: 'dtmf', detail: `received ${report.digit}` }];
  if (report.type === 'transferred') return [{ type: 'transfer', detail: report.phone }];
  return report.type === 'ended' ? [{ type: 'hangup', detail: report.end.errorMessage }] : [];
}

type Known = Pick<Entry, 'rang' | 'isMachine'> & { speech: SpokenFacts | null };

async function recordEnd(app: App, tx: Tx, call: Call, { end, sip }: Ended, known: Known): Promise<void> {
  const { disconnectReason, errorMessage, talkedMs } = end;
  const status = known.isMachine && end.status === 'completed' ? 'voicemail' : end.status;
  const { rang, speech } = known;
  const isOurs = call.direction === 'outbound';
  const found = { callId: call.id, invalid: end.invalidNumber, rang };
  const invalidNumber = isOurs && invalidNumbers(app).count(call.phoneNumberId, found);
  if (sip) await recordSip(tx, call.id, sip);
  if (end.unwanted) await addDoNotCall(app, call.orgId, { phone: call.to, reason: '607 Unwanted' });
  await endAnalyzed(
    app,
    tx,
    call,
    plainOutcome(status, {
      disconnectReason: call.answeredAt === null && status !== 'failed' ? null : disconnectReason,
      errorMessage,
      callLatencyMs: speech?.latencyMs ?? null,
      // A callee who wants no more calls must not be called again, either.
      invalidNumber: invalidNumber || end.unwanted,
      ...(talkedMs === null ? {} : { durationSec: Math.round(talkedMs / 1000) }),
    }),
  );
}

/** Ends the calls that a killed process left behind; the successor of its telephony thread ends their dialogs. */
export async function endLostCalls(app: App, driver: string): Promise<void> {
  const calls = await liveCallsOfDriver(app.db, driver);
  for (const { id, orgId } of calls) {
    // Before the end is recorded: the next start looks at live calls alone.
    const isRecorded = await completeRecording(app, id);
    await transact(app.db, orgId, async (tx) => {
      const call = await findCall(tx, id);
      // One that was never handed over is decided anew by its dial job.
      // One whose other side is gone ends when it is analyzed.
      if (!call || call.state === 'queued' || call.handedOverAt === null || call.ending !== null) return;
      if (await takeBackIfForbidden(app, tx, call)) return;
      const recorded = isRecorded ? await adoptRecording(app, tx, call) : call;
      const errorMessage = 'The server was stopped during the call.';
      await endCall(app, tx, recorded, plainOutcome('failed', { errorMessage }));
    });
  }
}
