import { isoOf } from '../../../../base/clock.ts';
import type { App } from '../../../../kernel/app.ts';
import { type Call, type CallOutcome, plainOutcome, type PostCallAnalysis, type TranscriptEntry } from '../../call.ts';
import type { Script } from './script.ts';
import type { OwnTexts } from './texts.ts';

/** Price of a simulated minute, in the unit of `cost_total`. */
const costPerMinute = 0.09;

const reasons: Readonly<Record<string, string>> = {
  failed: 'The simulated network could not complete the call.',
  invalid: 'The number is not in service.',
};

type Speaker = 'agent' | 'user';
type Line = readonly [Speaker, string];

/** Index of the line in which the customer agrees or declines. */
const decidingLine = 3;

const linesOf = (agentName: string, goalsMet: boolean, firstMessage: string | null): readonly Line[] => [
  ['agent', firstMessage ?? `Hello, this is ${agentName}. Do you have a moment?`],
  ['user', 'Yes, what is it about?'],
  ['agent', 'I would like to find a time for a short meeting with you.'],
  goalsMet ? ['user', 'Tomorrow at ten would suit me.'] : ['user', 'Thank you, but I am not interested.'],
  goalsMet ? ['agent', 'Then tomorrow at ten. Goodbye!'] : ['agent', 'I understand. Have a good day!'],
];

/** How a simulated call ends: a plain outcome, or a whole conversation with its analysis. */
export function outcomeOf(app: App, call: Call, script: Script, texts: OwnTexts): CallOutcome {
  if (script.ending === 'completed') return completed(app, call, script, texts);
  const status = script.ending === 'silent' || script.ending === 'refused' ? 'failed' : script.ending;
  return plainOutcome(status, {
    invalidNumber: script.invalidNumber,
    errorMessage: status === 'failed' ? (reasons[script.invalidNumber ? 'invalid' : 'failed'] ?? null) : null,
    ...(call.answeredAt === null ? leftAtMailbox(app, script, texts) : spoken(app, call, script)),
  });
}

/** A mailbox hears the agent's message for one, if it has any. */
function leftAtMailbox(app: App, { ending }: Script, { voicemailMessage }: OwnTexts): Partial<CallOutcome> {
  if (ending !== 'voicemail' || voicemailMessage === null) return {};
  return { transcripts: [entryOf(app.ids.make(), ['agent', voicemailMessage], 0, app.clock.now())] };
}

/** The conversation of a call that was answered and yet did not complete, such as one with a mailbox. */
function spoken(app: App, call: Call, script: Script): Partial<CallOutcome> {
  const talkedMs = talkedMsOf(app, call);
  const { analysis: _, ...facts } = conversation(app, call, script, { talkedMs, plannedMs: talkedMs, ...noTexts });
  return {
    ...facts,
    summary: script.given?.summary ?? null,
    transcripts: script.given?.transcript ? facts.transcripts! : [],
  };
}

function completed(app: App, call: Call, script: Script, { firstMessage }: OwnTexts): CallOutcome {
  const talkedMs = talkedMsOf(app, call);
  const wasCutOff = talkedMs >= call.maxDurationMs;
  return plainOutcome('completed', {
    disconnectReason: wasCutOff || script.goalsMet ? 'agent_hangup' : 'customer_hangup',
    ...conversation(app, call, script, { talkedMs, plannedMs: talkedMs, firstMessage }),
  });
}

/** The conversation of an answered call until now, if it was to last `plannedMs`. Silent calls have none. */
export function conversationUntilNow(
  app: App,
  call: Call,
  script: Script,
  { plannedMs, firstMessage }: Omit<Talk, 'talkedMs'>,
): Partial<CallOutcome> {
  if (script.ending !== 'completed') return {};
  return conversation(app, call, script, { talkedMs: talkedMsOf(app, call), plannedMs, firstMessage });
}

const noTexts = { firstMessage: null };

const talkedMsOf = (app: App, call: Call): number => app.clock.now() - (call.answeredAt ?? app.clock.now());

type Talk = { talkedMs: number; plannedMs: number; firstMessage: string | null };

/** The record of a conversation that was hung up after `talkedMs`: later lines are left out. */
function conversation(
  app: App,
  call: Call,
  script: Script,
  { talkedMs, plannedMs, firstMessage }: Talk,
): Partial<CallOutcome> {
  const { goalsMet, given } = script;
  const lines =
    given?.transcript?.map(({ role, text }): Line => [role, text]) ?? linesOf(call.agentName, goalsMet, firstMessage);
  const startOf = (index: number): number => Math.floor((plannedMs * index) / lines.length);
  const said = lines.filter((_, index) => startOf(index) <= talkedMs);
  const answeredAt = call.answeredAt ?? app.clock.now();
  return {
    ...resultOf(call, script, talkedMs >= plannedMs || (given?.transcript === undefined && said.length > decidingLine)),
    costTotal: Math.round((talkedMs / 60_000) * costPerMinute * 10_000) / 10_000,
    callLatencyMs: 400 + (Number.parseInt(call.to.slice(-4), 10) % 400),
    transcripts: withAdded(
      said.map((line, index) => entryOf(`${call.id}-${index + 1}`, line, startOf(index), answeredAt)),
      call.transcripts,
    ),
  };
}

/** What the agent was told to say, and keys, stand between the lines of the script. */
const withAdded = (lines: TranscriptEntry[], added: readonly TranscriptEntry[]): TranscriptEntry[] =>
  added.length === 0 ? lines : [...lines, ...added].toSorted((a, b) => a.timestamp_ms - b.timestamp_ms);

type Result = { summary: string; analysis: PostCallAnalysis };

function resultOf(
  call: Call,
  { goalsMet, given }: Script,
  isDecided: boolean,
): Pick<CallOutcome, 'summary' | 'analysis'> {
  const result = isDecided ? decided(call, goalsMet) : undecided(call);
  return given?.summary === undefined || !isDecided ? result : { ...result, summary: given.summary };
}

const decided = ({ agentName }: Call, goalsMet: boolean): Result => ({
  summary: goalsMet
    ? `${agentName} reached the customer, who agreed to a meeting.`
    : `${agentName} reached the customer, who is not interested at present.`,
  analysis: {
    sentiment: goalsMet ? 'positive' : 'neutral',
    disposition: goalsMet ? 'meeting_booked' : 'not_interested',
    goals_met: goalsMet,
    next_steps: goalsMet ? 'Send the calendar invitation.' : 'None.',
  },
});

const undecided = ({ agentName }: Call): Result => ({
  summary: `${agentName} reached the customer, but the call was hung up before they came to a result.`,
  analysis: { sentiment: 'neutral', disposition: 'hung_up', goals_met: false, next_steps: 'Call again.' },
});

/** `id` is the same each time, because a live call is read again and again. */
function entryOf(id: string, [role, content]: Line, timestampMs: number, answeredAt: number): TranscriptEntry {
  return {
    id,
    timestamp_ms: timestampMs,
    role,
    message: { content, format: 'text' },
    created_at: isoOf(answeredAt + timestampMs),
  };
}
