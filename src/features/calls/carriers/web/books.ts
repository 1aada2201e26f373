import { messageOf } from '../../../../base/errors.ts';
import { transact, type Tx } from '../../../../db/transaction.ts';
import type { App } from '../../../../kernel/app.ts';
import type { SpokenFacts } from '../../../../telephony/audio/speech.ts';
import { endAnalyzed } from '../../analysis/ending.ts';
import { type Call, type DisconnectReason, plainOutcome } from '../../call.ts';
import { findCall, recordSpeech, reportProgress } from '../../service.ts';
import { recordTimeline } from '../../timeline.ts';
import { shownFacts } from '../thread/speech-books.ts';

/** How a test call ended. */
export type WebEnd = {
  status: 'completed' | 'failed';
  disconnectReason: DisconnectReason;
  errorMessage: string | null;
  talkedMs: number | null;
  speech: SpokenFacts | null;
};

export const failedEnd = (errorMessage: string): WebEnd => ({
  status: 'failed',
  disconnectReason: 'error',
  errorMessage,
  talkedMs: null,
  speech: null,
});

async function withCall(app: App, call: Call, change: (tx: Tx, current: Call) => Promise<void>): Promise<void> {
  try {
    await transact(app.db, call.orgId, async (tx) => {
      const current = await findCall(tx, call.id);
      if (current) await change(tx, current);
    });
  } catch (error) {
    app.log.warn({ callId: call.id, error: messageOf(error) }, 'what happened in a test call could not be written');
  }
}

export const writeAnswer = (app: App, call: Call): Promise<void> =>
  withCall(app, call, async (tx, current) => {
    await recordTimeline(tx, call.id, { at: app.clock.now(), type: 'answered', detail: 'PCMU' });
    await reportProgress(app, tx, current, { type: 'answered' });
  });

export const writeKey = (app: App, call: Call, digit: string): Promise<void> =>
  withCall(app, call, (tx) =>
    recordTimeline(tx, call.id, { at: app.clock.now(), type: 'dtmf', detail: `received ${digit}` }),
  );

/** Does nothing for a call that was hung up meanwhile, but for its figures. */
export const writeEnd = (app: App, call: Call, { status, speech, talkedMs, ...end }: WebEnd): Promise<void> =>
  withCall(app, call, async (tx, current) => {
    const facts = shownFacts(speech);
    if (facts) await recordSpeech(tx, call.id, facts);
    if (current.state === 'ended') return;
    await recordTimeline(tx, call.id, { at: app.clock.now(), type: 'hangup', detail: end.errorMessage });
    await endAnalyzed(
      app,
      tx,
      current,
      plainOutcome(status, {
        disconnectReason: end.disconnectReason,
        errorMessage: end.errorMessage,
        callLatencyMs: speech?.latencyMs ?? null,
        ...(talkedMs === null ? {} : { durationSec: Math.round(talkedMs / 1000) }),
      }),
    );
  });
