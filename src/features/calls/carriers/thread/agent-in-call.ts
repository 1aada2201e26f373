import type { AgentInCall } from '../../../../talking/speech/engine.ts';
import type { SpeechSettings } from './speech-settings.ts';

/** What the agent of a call is, for the thread that speaks. */
export const agentInCall = ({ engine }: SpeechSettings): AgentInCall => ({
  engine: engine ?? 'echo', // never null where calls are placed: the start requires it
  model: null,
});
