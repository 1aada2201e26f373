import type { AgentInCall, EngineEvents } from '../../src/talking/speech/engine.ts';
import type { VoicemailSettings } from '../../src/talking/speech/settings.ts';

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
  recordingNotice: null,
  detectsVoicemail: false,
  tools: [],
  reminderTriggerMs: 10_000,
  silenceTimeoutMs: 30_000,
  emergencyFallback: null,
  ...changes,
});

export const noSpeechEvents: EngineEvents = {
  report: () => undefined,
  tool: () => Promise.resolve('{}'),
  log: () => undefined,
  machineSpeaks: () => undefined,
};

/** The defaults of `sip.amd`. */
export const voicemailSettings: VoicemailSettings = {
  initial_silence_ms: 2500,
  greeting_ms: 2500,
  machine_ms: 6000,
  after_greeting_silence_ms: 700,
  message_wait_ms: 30_000,
};
