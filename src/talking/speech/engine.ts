import type { SpeechSession } from '../../telephony/audio/speech.ts';

/** The values of `speech.engine`. */
export const speechEngines = ['realtime', 'cascade', 'echo'] as const;
export type EngineName = (typeof speechEngines)[number];

/** A function that the model may call, as models take it: its parameters are a JSON schema. */
export type ToolDefinition = { name: string; description: string; parameters: object };

/**
 * What an agent is in one call. It travels to the thread with the order to dial, or with the decision on an incoming call, so that nothing
 * is asked for while it rings.
 */
export type AgentInCall = {
  engine: EngineName;
  /** Model and voice as the speech services call them; null for an engine without any. */
  model: string | null;
  voice: string | null;
  /** The language of the voice, such as `en`. */
  language: string | null;
  /** 0 to 2. */
  temperature: number;
  /** Whether the voice is to be expressive. */
  emotion: boolean;
  /** Texts with the data of the call filled in. */
  prompt: string | null;
  firstMessage: string | null;
  voicemailMessage: string | null;
  /** Spoken before the first message, never to a mailbox; null where the call is not recorded. */
  recordingNotice: string | null;
  /** Whether a verdict on who has answered is awaited before the agent begins. */
  detectsVoicemail: boolean;
  tools: readonly ToolDefinition[];
  reminderTriggerMs: number;
  silenceTimeoutMs: number;
  /** The phone (E.164) to which the call is handed when speech is lost for good. */
  emergencyFallback: string | null;
};

/** A part of the transcript. */
export type Said = {
  /** Said again with the same id, it replaces the earlier text: an answer that was interrupted gets shorter. */
  id: string;
  role: 'agent' | 'user';
  text: string;
  /** `dtmf`: keys that were pressed. */
  format: 'text' | 'dtmf';
  /** When its speaking began, in milliseconds since the answer. */
  atMs: number;
};

/** What an agent reports to whoever keeps the books of its call, in the order in which it happened. */
export type SpeechReport =
  | { type: 'said'; said: Said }
  /** The first sound of the agent was sent. */
  | { type: 'greeting' }
  /** Who has answered; `unclear`: the model decides, and a later verdict says so if it is a machine. */
  | { type: 'verdict'; verdict: 'person' | 'machine' | 'unclear'; detail: string }
  /** `sentMs`: how much of the answer was sent. */
  | { type: 'interrupted'; sentMs: number }
  /** A tool that needs nothing but the call was carried out. `fault`: null if it succeeded. Others report to whoever carries them out. */
  | { type: 'tool'; name: string; fault: string | null }
  | { type: 'speech_lost'; reason: string }
  | { type: 'speech_back' };

/** A tool as the model calls it; `args` is JSON that nobody has checked. */
export type ToolCall = { id: string; name: string; args: string };

/** What an agent tells and asks while it talks. */
export type SpeechEvents = {
  report(report: SpeechReport): void;
  /**
   * Has a tool carried out and resolves with what the model is told, as JSON: `{"error": …}` for a fault. Never rejects, and resolves within
   * 10 s. `end_call`, `send_dtmf` and `report_voicemail` are the engine's own and never come here.
   */
  tool(call: ToolCall): Promise<string>;
  log(level: 'info' | 'warn', fields: object, message: string): void;
};

/** What an engine tells besides. */
export type EngineEvents = SpeechEvents & {
  /**
   * The model says that a machine speaks (`report_voicemail`). Its answers are not sent any more: either the call ends, or `begin` follows
   * with `mailbox`.
   */
  machineSpeaks(): void;
};

/** A way of talking (`speech.engine`). */
export type SpeechEngine = {
  /** When the call rings: connections may be opened. Nothing is said before the session's `begin`. */
  open(agent: AgentInCall, events: EngineEvents): SpeechSession;
};
