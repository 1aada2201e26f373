import type { AgentInCall, SpeechEvents } from '../../src/talking/speech/engine.ts';

/** An agent that echoes, changed as a test wants it. */
export const anAgentInCall = (changes: Partial<AgentInCall> = {}): AgentInCall => ({
  engine: 'echo',
  model: null,
  voice: null,
  language: 'en',
  temperature: 0.7,
  emotion: false,
  prompt: null,
  firstMessage: null,
  voicemailMessage: null,
  detectsVoicemail: false,
  tools: [],
  reminderTriggerMs: 10_000,
  silenceTimeoutMs: 30_000,
  emergencyFallback: null,
  ...changes,
});

export const noSpeechEvents: SpeechEvents = {
  report: () => undefined,
  tool: () => Promise.resolve('{}'),
  log: () => undefined,
};
