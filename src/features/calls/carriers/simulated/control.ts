import { isoOf } from '../../../../base/clock.ts';
import { transact } from '../../../../db/transaction.ts';
import type { App } from '../../../../kernel/app.ts';
import { type Call, plainOutcome, type TranscriptEntry } from '../../call.ts';
import { endCall, findCall, reportProgress } from '../../service.ts';
import { recordTimeline } from '../../timeline.ts';
import type { Controlled, LiveControl } from '../carrier.ts';

/** Keys and what the agent is told to say stand in the transcript; a transfer succeeds at once and ends the call. */
export const simulatedControl = (conversationOf: NonNullable<ConversationOf>): LiveControl => ({
  sendDigits: (app, call, digits) => add(app, call, { content: digits, format: 'dtmf' }),
  say: (app, call, text) => add(app, call, { content: text, format: 'text' }),
  transfer: (app, { id, orgId }, to) =>
    transact(app.db, orgId, async (tx): Promise<Controlled> => {
      const call = await findCall(tx, id);
      if (call?.state !== 'in_progress') return hasEnded;
      await recordTimeline(tx, id, { at: app.clock.now(), type: 'transfer', detail: to });
      const said = await conversationOf(app, call);
      await endCall(app, tx, call, plainOutcome('completed', { ...said, disconnectReason: 'agent_hangup' }));
      return { done: true };
    }),
});

type ConversationOf = (app: App, call: Call) => Promise<Parameters<typeof plainOutcome>[1]>;

const hasEnded: Controlled = { done: false, reason: 'The call has already ended.' };

function add(app: App, { id, orgId }: Call, message: TranscriptEntry['message']): Promise<Controlled> {
  return transact(app.db, orgId, async (tx): Promise<Controlled> => {
    const call = await findCall(tx, id);
    if (call?.state !== 'in_progress') return hasEnded;
    const now = app.clock.now();
    const entry: TranscriptEntry = {
      id: app.ids.make(),
      timestamp_ms: now - (call.answeredAt ?? now),
      role: 'agent',
      message,
      created_at: isoOf(now),
    };
    await reportProgress(app, tx, call, { type: 'transcript', entries: [entry] });
    return { done: true };
  });
}
