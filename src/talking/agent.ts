import type { SpeechSession } from '../telephony/audio/speech.ts';
import type { AgentInCall, SpeechEngine, SpeechEvents, EngineName } from './speech/engine.ts';

export type Engines = Readonly<Partial<Record<EngineName, SpeechEngine>>>;

/**
 * Opens the agent of a call with the engine that the call names, and begins when it is answered. What stands between a channel and every
 * engine alike belongs here.
 */
export function openAgent(engines: Engines, agent: AgentInCall, events: SpeechEvents): SpeechSession {
  const engine = engines[agent.engine];
  if (!engine) throw new Error(`there is no engine ${agent.engine}`);
  const session = engine.open(agent, events);
  let hasSpoken = false;
  return {
    ...session,
    answered(line) {
      session.answered(line);
      session.begin('person');
    },
    sending(item) {
      if (!hasSpoken) events.report({ type: 'greeting' });
      hasSpoken = true;
      session.sending(item);
    },
  };
}
