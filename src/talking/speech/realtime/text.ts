import {
  type ChatMessage,
  type Completed,
  type CompletionRequest,
  maxAnswerCharacters,
  maxArgumentCharacters,
  maxToolCalls,
} from '../cascade/completion.ts';
import type { ToolCall } from '../engine.ts';
import type { SpeechSettings } from '../settings.ts';
import { type Dialect, dialectOf, dialects } from './dialect.ts';
import type { ServerEvent } from './server-event.ts';
import { openSocket } from './socket.ts';

type Item = Record<string, unknown>;

/** A chat message as items of a realtime conversation. The first one, of the system, is the session's instructions. */
function itemsOf({ assistantText }: Dialect, message: ChatMessage): Item[] {
  if (message.role === 'tool')
    return [{ type: 'function_call_output', call_id: message.tool_call_id, output: message.content }];
  const said = message.content ?? '';
  const type = message.role === 'assistant' ? assistantText : 'input_text';
  const calls = message.role === 'assistant' ? (message.tool_calls ?? []) : [];
  return [
    ...(said === '' ? [] : [{ type: 'message', role: message.role, content: [{ type, text: said }] }]),
    ...calls.map(({ id, function: called }) => ({ type: 'function_call', call_id: id, ...called })),
  ];
}

/** What an answer consists of, as the server's events tell it. */
function createAnswer(take: (text: string) => void) {
  const calls = new Map<string, ToolCall>();
  let characters = 0;
  return {
    calls,
    event({ type, delta, item }: ServerEvent): void {
      if (type === 'response.output_text.delta' || type === 'response.output_audio_transcript.delta') {
        const part = (delta ?? '').slice(0, maxAnswerCharacters - characters);
        characters += part.length;
        if (part !== '') take(part);
      } else if (type === 'response.output_item.done' && item?.type === 'function_call') {
        const { call_id: id, name, arguments: args = '' } = item;
        if (id === undefined || name === undefined || calls.size >= maxToolCalls) return;
        calls.set(id, { id, name, args: args.slice(0, maxArgumentCharacters) });
      }
    },
  };
}

const faultOf = ({ type, error, response }: ServerEvent): string | undefined => {
  if (type === 'error') return error?.message ?? 'the speech service refused what it was sent';
  if (type !== 'response.done' || response?.status === undefined) return undefined;
  if (response.status === 'completed' || response.status === 'incomplete') return undefined;
  return response.status_details?.error?.message ?? `the answer ${response.status}`;
};

/**
 * Asks the realtime service for one answer in text, as `complete` asks the model of the cascade. Each answer has a session of its own, which
 * is told the whole conversation: nothing stays open between two texts, so nothing can break then.
 * @throws Error with the reason when there is no whole answer
 */
export async function completeInRealtime(
  settings: SpeechSettings,
  { model, messages, temperature, tools }: CompletionRequest,
  take: (text: string) => void,
  signal: AbortSignal,
): Promise<Completed> {
  signal.throwIfAborted();
  const { realtime, connect_timeout_ms: timeoutMs } = settings;
  const [system, ...rest] = messages;
  const { promise, resolve, reject } = Promise.withResolvers<Completed>();
  const answer = createAnswer(take);
  let dialect = dialects[realtime.dialect === 'beta' ? 'beta' : 'ga'];
  const socket = openSocket(realtime, model, timeoutMs, {
    opened() {
      const session = dialect.textSession({ instructions: system?.content ?? '', temperature, tools });
      socket.send({ type: 'session.update', event_id: 'session', session });
      for (const message of rest)
        for (const item of itemsOf(dialect, message)) socket.send({ type: 'conversation.item.create', item });
      socket.send({ type: 'response.create' });
    },
    event(event) {
      const fault = faultOf(event);
      if (fault !== undefined) return reject(new Error(fault));
      if (event.type === 'session.created' && realtime.dialect === 'auto')
        dialect = dialects[dialectOf(event.session ?? {})];
      answer.event(event);
      if (event.type !== 'response.done') return;
      const { input_tokens: inputTokens = 0, output_tokens: outputTokens = 0 } = event.response?.usage ?? {};
      resolve({ toolCalls: [...answer.calls.values()], usage: { inputTokens, outputTokens } });
    },
    nonsense: () => undefined,
    lost: (reason) => reject(new Error(reason)),
  });
  const abort = (): void => reject(signal.reason as Error);
  signal.addEventListener('abort', abort);
  try {
    return await promise;
  } finally {
    signal.removeEventListener('abort', abort);
    socket.close();
  }
}
