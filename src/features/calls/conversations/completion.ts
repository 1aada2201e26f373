import { AppError, messageOf } from '../../../base/errors.ts';
import type { App } from '../../../kernel/app.ts';
import { instructionsOf } from '../../../talking/conversation/instructions.ts';
import { endCall, sendDtmf } from '../../../talking/conversation/own-tools.ts';
import type { Completed, CompletionRequest } from '../../../talking/speech/cascade/completion.ts';
import { createHistory } from '../../../talking/speech/cascade/history.ts';
import type { ToolDefinition } from '../../../talking/speech/engine.ts';
import type { Agent } from '../../agents/agent.ts';
import type { Call } from '../call.ts';
import { type Answer, type AnswerEvents, type Engine, plainAnswer } from './conversation.ts';
import { useTool } from './tools.ts';

/** A model that calls tools for ever must come to an end. */
const maxRounds = 8;
/** Of a whole answer, in real time. */
const answerTimeoutMs = 60_000;
const maxAnswerCharacters = 20_000;

export type Texts = { prompt: string | null; firstMessage: string | null };

type Parts = {
  agent: Agent;
  call: Call;
  /** As the service calls it. */
  model: string | null;
  texts: Texts;
  tools: readonly ToolDefinition[];
};

/** Asks a model for one answer. */
export type Complete = (
  request: CompletionRequest,
  take: (piece: string) => void,
  signal: AbortSignal,
) => Promise<Completed>;

/** Answers by a model, which may call tools. */
export function completionEngine(app: App, complete: Complete, parts: Parts): Engine {
  const { agent, call, model, texts } = parts;
  const history = createHistory(instructionsOf({ prompt: texts.prompt, emotion: agent.emotion }));
  const tools = [endCall, sendDtmf, ...parts.tools];
  const closing = new AbortController();

  async function thought(events: AnswerEvents, instructions?: string): Promise<Answer> {
    const answer = plainAnswer('', { inputTokens: 0, outputTokens: 0 });
    const signal = AbortSignal.any([closing.signal, AbortSignal.timeout(answerTimeoutMs)]);
    for (let round = 0; round < maxRounds; round += 1) {
      const messages = history.messages(instructions);
      const say = history.said();
      let said = '';
      const take = (piece: string): void => {
        if (answer.text.length + piece.length > maxAnswerCharacters) return;
        said += piece;
        answer.text += piece;
        events.text(piece);
      };
      const request = { model, messages, temperature: agent.temperature, tools };
      const { toolCalls, usage } = await complete(request, take, signal);
      say(said);
      answer.inputTokens! += usage?.inputTokens ?? 0;
      answer.outputTokens! += usage?.outputTokens ?? 0;
      if (toolCalls.length === 0) break;
      const tell = history.called(toolCalls);
      for (const called of toolCalls) {
        const { tool, output, passages } = await useTool(app, { call, agent }, called);
        tell(called.id, output);
        answer.tools.push(tool);
        answer.passages.push(...passages);
        events.tool(tool);
        answer.ended ||= !tool.failed && (tool.name === 'end_call' || tool.name === 'transfer_call');
      }
      if (answer.ended) break;
    }
    return answer;
  }

  const think = (events: AnswerEvents, instructions?: string): Promise<Answer> =>
    thought(events, instructions).catch((error: unknown) => {
      throw new AppError('provider', `The model did not answer: ${messageOf(error)}`, { cause: error });
    });

  return {
    open(events) {
      const { firstMessage } = texts;
      if (firstMessage === null || firstMessage === '') return think(events, 'Greet the other side and begin.');
      history.said()(firstMessage);
      events.text(firstMessage);
      return Promise.resolve(plainAnswer(firstMessage));
    },
    answer(text, events) {
      history.heard(text);
      return think(events);
    },
    close: () => closing.abort(new Error('the conversation is over')),
  };
}
