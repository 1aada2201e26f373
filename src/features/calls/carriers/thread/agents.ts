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

export function createAgents(engines: Engines, voicemail: VoicemailSettings, events: AgentEvents): Agents {
  const entries = new Map<string, Entry>();
  return {
    expect: (callId, agent) => void entries.set(callId, { agent, session: undefined }),
    open(callId) {
      const entry = entries.get(callId);
      if (!entry) return nobody;
      const own: SpeechEvents = {
        report: (report) => events.report(callId, report),
        tool: (use) => events.tool(callId, use),
        log: (level, fields, message) => events.log(level, { callId, ...fields }, message),
      };
      entry.session ??= openAgent(engines, entry.agent, own, voicemail);
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
