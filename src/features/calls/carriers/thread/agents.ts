import { createRateBudget } from '../../../../base/fair/rate-budget.ts';
import type { SpokenFacts, SpeechSession } from '../../../../telephony/audio/speech.ts';
import { type Engines, openAgent } from '../../../../talking/agent.ts';
import type { AgentInCall, SpeechEvents, SpeechReport, ToolCall } from '../../../../talking/speech/engine.ts';
import type { VoicemailSettings } from '../../../../talking/speech/settings.ts';

/** The agents of the thread's calls, whatever channel they talk through. */
export type Agents = {
  /** The call is about to ring. */
  expect(callId: string, agent: AgentInCall): void;
  /** The agent of a call, which the first question opens. For a call that is unknown, or has ended, one that does nothing. */
  open(callId: string): SpeechSession;
  /** Null before the agent is opened. */
  facts(callId: string): SpokenFacts | null;
  factsOf(callIds: readonly string[]): Map<string, SpokenFacts>;
  /** Whether the agent of a call, answered already, says the text next. */
  say(callId: string, text: string): boolean;
  /** The call has ended; returns its last figures. */
  end(callId: string): SpokenFacts | null;
};

type Entry = { agent: AgentInCall; session: SpeechSession | undefined };

const noFacts: SpokenFacts = {
  engine: 'echo',
  model: null,
  sessions: 0,
  turns: 0,
  interruptions: 0,
  input_tokens: null,
  output_tokens: null,
  latencyMs: null,
};

const nobody: SpeechSession = {
  answered: () => undefined,
  begin: () => undefined,
  hear: () => undefined,
  key: () => undefined,
  typed: () => undefined,
  held: () => undefined,
  sending: () => undefined,
  say: () => false,
  facts: () => noFacts,
  end: () => noFacts,
};

export type AgentEvents = {
  report(callId: string, report: SpeechReport): void;
  tool(callId: string, use: ToolCall): Promise<string>;
  log: SpeechEvents['log'];
};

/** Of one call. A speech service that sends without end must not keep the main thread busy, which other calls need. */
const paces = {
  reports: { perSecond: 20, burst: 200 },
  tools: { perSecond: 2, burst: 50 },
  logs: { perSecond: 0.5, burst: 20 },
};
/** Kinds of reports that come as often as the service likes. */
const mayFlood: ReadonlySet<SpeechReport['type']> = new Set(['said', 'interrupted', 'tool']);

/** What the agent of a call tells, no faster than a conversation may. */
function pacedEvents(callId: string, events: AgentEvents): SpeechEvents {
  const [reports, tools, logs] = [paces.reports, paces.tools, paces.logs].map((pace) => createRateBudget(pace));
  const log: SpeechEvents['log'] = (level, fields, message) => {
    if (logs!.take(callId).allowed) events.log(level, { callId, ...fields }, message);
  };
  return {
    report(report) {
      if (!mayFlood.has(report.type) || reports!.take(callId).allowed) events.report(callId, report);
      else log('warn', { type: report.type }, 'the speech service tells more than a conversation has; dropped some');
    },
    tool: (use) =>
      tools!.take(callId).allowed ? events.tool(callId, use) : Promise.resolve('{"error":"too many tools; wait"}'),
    log,
  };
}

export function createAgents(engines: Engines, voicemail: VoicemailSettings, events: AgentEvents): Agents {
  const entries = new Map<string, Entry>();
  return {
    expect: (callId, agent) => void entries.set(callId, { agent, session: undefined }),
    open(callId) {
      const entry = entries.get(callId);
      if (!entry) return nobody;
      entry.session ??= openAgent(engines, entry.agent, pacedEvents(callId, events), voicemail);
      return entry.session;
    },
    facts: (callId) => entries.get(callId)?.session?.facts() ?? null,
    factsOf: (callIds) =>
      new Map(
        callIds.flatMap((callId) => {
          const facts = entries.get(callId)?.session?.facts();
          return facts ? [[callId, facts] as const] : [];
        }),
      ),
    say: (callId, text) => entries.get(callId)?.session?.say(text) ?? false,
    end(callId) {
      const session = entries.get(callId)?.session;
      entries.delete(callId);
      return session?.end() ?? null;
    },
  };
}
