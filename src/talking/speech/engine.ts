import type { SpeechSession } from '../../telephony/audio/speech.ts';

/** The values of `speech.engine`. */
export const speechEngines = ['echo'] as const;
export type EngineName = (typeof speechEngines)[number];

/**
 * What an agent is in one call. It travels to the thread with the order to dial, or with the decision on an incoming call, so that nothing
 * is asked for while it rings.
 */
export type AgentInCall = {
  engine: EngineName;
  /** The model as the speech service calls it; null for engines without one. */
  model: string | null;
};

/** What an agent tells while it talks. All instants are milliseconds since the answer. */
export type SpeechEvents = {
  /** The first sound of the agent was sent. */
  greeting(): void;
};

/** What an agent reports to whoever keeps the books of its call, in the order in which it happened. */
export type SpeechReport = { type: 'greeting' };

/** A way of talking (`speech.engine`). */
export type SpeechEngine = {
  /** When the call rings: connections may be opened. Nothing is said before the session's `begin`. */
  open(agent: AgentInCall, events: SpeechEvents): SpeechSession;
};
