import { messageOf } from '../../../base/errors.ts';
import type { Agent } from '../../agents/agent.ts';
import type { Passage } from '../../knowledge/query.ts';
import type { Call } from '../call.ts';

/** A conversation with an agent by text (docs/api/conversations.md). It is kept in memory alone. */

export const conversationEngines = ['simulated', 'completion', 'realtime'] as const;
export type ConversationEngine = (typeof conversationEngines)[number];

export type ToolInTurn = {
  name: string;
  arguments: unknown;
  result: unknown;
  durationMs: number;
  failed: boolean;
  /** It was not carried out, because it acts outside; the result is a plausible one. */
  tried: boolean;
};

export type Turn = {
  role: 'agent' | 'user';
  text: string;
  /** Since the conversation began. */
  atMs: number;
  firstTokenMs: number | null;
  totalMs: number | null;
  tools: ToolInTurn[];
  passages: Passage[];
  inputTokens: number | null;
  outputTokens: number | null;
};

/** What an answer tells while it is made. */
export type AnswerEvents = { text(this: void, piece: string): void; tool(this: void, tool: ToolInTurn): void };

export type Answer = Pick<Turn, 'text' | 'tools' | 'passages' | 'inputTokens' | 'outputTokens'> & { ended: boolean };

/** What answers in one conversation. */
export type Engine = {
  /** The agent's first words; null where it waits for the other side. */
  open(events: AnswerEvents): Promise<Answer | null>;
  answer(text: string, events: AnswerEvents): Promise<Answer>;
  close(): void;
};

export type Conversation = {
  id: string;
  orgId: string;
  agent: Agent;
  edition: number;
  /** The call that the conversation stands for, which the agent's texts and tools read; it is never stored. */
  call: Call;
  engineName: ConversationEngine;
  engine: Engine;
  startedAt: number;
  lastUsedAt: number;
  isBusy: boolean;
  hasEnded: boolean;
  turns: Turn[];
};

export const plainAnswer = (text: string, rest: Partial<Answer> = {}): Answer => ({
  text,
  tools: [],
  passages: [],
  inputTokens: null,
  outputTokens: null,
  ended: false,
  ...rest,
});

/** JSON as a value; text that is none stays text. */
export function valueOf(json: string): unknown {
  try {
    return JSON.parse(json.trim() === '' ? '{}' : json);
  } catch (error) {
    return { unreadable: json.slice(0, 1000), reason: messageOf(error) };
  }
}
