import { isoOf } from '../../../base/clock.ts';
import {
  boolean,
  id,
  integer,
  list,
  nullable,
  number,
  object,
  oneOf,
  timestamp,
  Type,
} from '../../../kernel/schema.ts';
import { type Conversation, conversationEngines, type ToolInTurn, type Turn } from './conversation.ts';
import { expiryOf } from './service.ts';

const anyValue = (description: string) => Type.Unsafe<unknown>({ description });

const turnSchema = object(
  {
    role: oneOf(['agent', 'user']),
    text: Type.String(),
    at_ms: integer({ description: 'Since the conversation began' }),
    first_token_ms: nullable(integer({ description: 'Until the first piece of the text; null for the user' })),
    total_ms: nullable(integer()),
    tools: list(
      object(
        {
          name: Type.String(),
          arguments: anyValue('What the model gave'),
          result: anyValue('What the model was told'),
          duration_ms: integer(),
          failed: boolean(),
          tried: boolean({ description: 'It acts outside, so it was not carried out; `result` is made up' }),
        },
        { title: 'ToolInTurn' },
      ),
    ),
    passages: list(
      object(
        {
          source_name: Type.String(),
          doc_id: Type.String(),
          page: nullable(integer()),
          score: number(),
          text: Type.String(),
        },
        { title: 'PassageInTurn' },
      ),
    ),
    input_tokens: nullable(integer()),
    output_tokens: nullable(integer()),
  },
  { title: 'ConversationTurn' },
);

export const presentTool = ({ name, arguments: given, result, durationMs, failed, tried }: ToolInTurn) => ({
  name,
  arguments: given,
  result,
  duration_ms: durationMs,
  failed,
  tried,
});

export const presentTurn = (turn: Turn) => ({
  role: turn.role,
  text: turn.text,
  at_ms: turn.atMs,
  first_token_ms: turn.firstTokenMs,
  total_ms: turn.totalMs,
  tools: turn.tools.map(presentTool),
  passages: turn.passages.map(({ source_name, doc_id, page, score, text }) => ({
    source_name,
    doc_id,
    page,
    score,
    text,
  })),
  input_tokens: turn.inputTokens,
  output_tokens: turn.outputTokens,
});

const outcomeFields = {
  ended: boolean({ description: 'The agent has ended the conversation' }),
  cost_total: number(),
};

export const newTurnsSchema = object({ turns: list(turnSchema), ...outcomeFields }, { title: 'ConversationTurns' });

export const conversationSchema = object(
  {
    id: id('conversation'),
    agent_id: id('agent'),
    edition: integer({ description: "The agent's edition, to which `settings` were applied" }),
    engine: oneOf(conversationEngines),
    expires_at: timestamp('When it is given up if nothing is said until then'),
    turns: list(turnSchema),
    ...outcomeFields,
  },
  { title: 'Conversation' },
);

/** Conversations by text are not billed. */
export const outcomeOf = ({ hasEnded }: Conversation) => ({ ended: hasEnded, cost_total: 0 });

export const presentConversation = (conversation: Conversation) => ({
  id: conversation.id,
  agent_id: conversation.agent.id,
  edition: conversation.edition,
  engine: conversation.engineName,
  expires_at: isoOf(expiryOf(conversation)),
  turns: conversation.turns.map(presentTurn),
  ...outcomeOf(conversation),
});
