import { isoOf } from '../../../../base/clock.ts';
import type { App } from '../../../../kernel/app.ts';
import { type Call, type CallOutcome, plainOutcome, type TranscriptEntry } from '../../call.ts';
import type { Script } from './script.ts';

/** What a simulated minute costs, in the platform's billing units. */
const costPerMinute = 0.09;

const reasons: Readonly<Record<string, string>> = {
  failed: 'The simulated network could not complete the call.',
  invalid: 'The number is not in service.',
};

/** How a simulated call ends: a plain outcome, or a whole conversation with its analysis. */
export function conversationOf(app: App, call: Call, script: Script): CallOutcome {
  if (script.ending === 'completed') return completed(app, call, script);
  const status = script.ending === 'silent' || script.ending === 'refused' ? 'failed' : script.ending;
  return plainOutcome(status, {
    invalidNumber: script.invalidNumber,
    errorMessage: status === 'failed' ? (reasons[script.invalidNumber ? 'invalid' : 'failed'] ?? null) : null,
  });
}

function completed(app: App, call: Call, { goalsMet }: Script): CallOutcome {
  const now = app.clock.now();
  const answeredAt = call.answeredAt ?? now;
  const cut = now - answeredAt >= call.maxDurationMs;
  return plainOutcome('completed', {
    disconnectReason: cut || goalsMet ? 'agent_hangup' : 'customer_hangup',
    summary: goalsMet
      ? `${call.agentName} reached the customer, who agreed to a meeting.`
      : `${call.agentName} reached the customer, who is not interested at present.`,
    costTotal: Math.round(((now - answeredAt) / 60_000) * costPerMinute * 10_000) / 10_000,
    callLatencyMs: 400 + (Number.parseInt(call.to.slice(-4), 10) % 400),
    analysis: {
      sentiment: goalsMet ? 'positive' : 'neutral',
      disposition: goalsMet ? 'meeting_booked' : 'not_interested',
      goals_met: goalsMet,
      next_steps: goalsMet ? 'Send the calendar invitation.' : 'None.',
    },
    transcripts: transcriptOf(app, call, answeredAt, now - answeredAt, goalsMet),
  });
}

function transcriptOf(app: App, call: Call, answeredAt: number, talkMs: number, goalsMet: boolean): TranscriptEntry[] {
  const lines: ReadonlyArray<readonly ['agent' | 'user', string]> = [
    ['agent', `Hello, this is ${call.agentName}. Do you have a moment?`],
    ['user', 'Yes, what is it about?'],
    ['agent', 'I would like to find a time for a short meeting with you.'],
    goalsMet ? ['user', 'Tomorrow at ten would suit me.'] : ['user', 'Thank you, but I am not interested.'],
    goalsMet ? ['agent', 'Then tomorrow at ten. Goodbye!'] : ['agent', 'I understand. Have a good day!'],
  ];
  return lines.map(([role, content], index) => {
    const timestampMs = Math.floor((talkMs * index) / lines.length);
    return {
      id: app.ids.make(),
      timestamp_ms: timestampMs,
      role,
      message: { content, format: 'text' },
      created_at: isoOf(answeredAt + timestampMs),
    };
  });
}
