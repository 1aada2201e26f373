import { scanJson } from '../../../base/json-scan.ts';
import type { ToolCall, ToolDefinition } from '../engine.ts';
import type { SpeechSettings } from '../settings.ts';
import { ask, named, ServiceError, textOf } from './requests.ts';

export type ChatMessage =
  | { role: 'system' | 'user'; content: string }
  | { role: 'assistant'; content: string | null; tool_calls?: ChatToolCall[] }
  | { role: 'tool'; tool_call_id: string; content: string };

export type ChatToolCall = { id: string; type: 'function'; function: { name: string; arguments: string } };

export type CompletionRequest = {
  model: string | null;
  messages: readonly ChatMessage[];
  temperature: number;
  tools: readonly ToolDefinition[];
};

export type Usage = { inputTokens: number; outputTokens: number };
export type Completed = { toolCalls: ToolCall[]; usage: Usage | null };

type Delta = { content?: unknown; tool_calls?: Array<Partial<ChatToolCall> & { index?: number }> };
type Chunk = {
  choices?: Array<{ delta?: Delta; message?: Delta }>;
  usage?: { prompt_tokens?: number; completion_tokens?: number } | null;
  error?: { message?: string };
};

const maxLineBytes = 1024 * 1024;
/** Each word comes in a line of 200 to 300 bytes, so this is an hour of speech. */
const maxAnswerBytes = 4 * 1024 * 1024;
/** Of a text that is spoken; what follows is left out. */
export const maxAnswerCharacters = 50_000;
const maxJson = { maxValues: 10_000, maxDepth: 64 };
const alwaysReadChars = 16_384;
export const maxToolCalls = 16;
export const maxArgumentCharacters = 100_000;

/** Puts the pieces of a stream together. */
function collector(onText: (text: string) => void) {
  const calls = new Map<number, { id: string; name: string; args: string }>();
  let usage: Usage | null = null;
  let characters = 0;

  function takeText(text: string): void {
    const part = text.slice(0, maxAnswerCharacters - characters);
    characters += part.length;
    if (part !== '') onText(part);
  }

  function takeCall(piece: Partial<ChatToolCall> & { index?: number }, position: number): void {
    // Some servers send whole calls one by one, without an index.
    const index = piece.index ?? (piece.id === undefined ? position : calls.size);
    const call = calls.get(index) ?? { id: '', name: '', args: '' };
    if (!calls.has(index) && calls.size >= maxToolCalls) return;
    if (piece.id !== undefined && piece.id !== '') call.id = piece.id;
    if (call.name === '') call.name = piece.function?.name ?? '';
    const args: unknown = piece.function?.arguments;
    const text = typeof args === 'string' ? args : args === undefined ? '' : JSON.stringify(args);
    if (call.args.length + text.length <= maxArgumentCharacters) call.args += text;
    calls.set(index, call);
  }

  return {
    take({ choices, usage: told, error }: Chunk): void {
      if (error) throw new ServiceError(error.message ?? 'the service broke the answer off');
      if (told) usage = { inputTokens: told.prompt_tokens ?? 0, outputTokens: told.completion_tokens ?? 0 };
      const delta = choices?.[0]?.delta ?? choices?.[0]?.message;
      if (typeof delta?.content === 'string') takeText(delta.content);
      for (const [position, piece] of (delta?.tool_calls ?? []).entries()) takeCall(piece, position);
    },
    completed: (): Completed => ({
      toolCalls: [...calls.values()].map(({ id, name, args }, index) => ({
        id: id === '' ? `call_${index}` : id,
        name,
        args,
      })),
      usage,
    }),
  };
}

/** A line that would take the thread long to read is no answer. */
function chunkIn(text: string): Chunk {
  const isLong = text.length > alwaysReadChars;
  if (isLong && scanJson(Buffer.from(text), maxJson).exceeded !== undefined)
    throw new ServiceError('a line of the answer has too many values');
  return JSON.parse(text) as Chunk;
}

async function* linesOf(body: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > maxAnswerBytes) throw new ServiceError('the answer does not end');
    rest += decoder.decode(chunk, { stream: true });
    if (rest.length > maxLineBytes) throw new ServiceError('a line of the answer is too long');
    const lines = rest.split('\n');
    rest = lines.pop()!;
    yield* lines;
  }
  yield rest;
}

/** Servers that refuse a request with `stream_options`, which are asked without it from then on, by their URL. */
const withoutOptions = new Set<string>();

/**
 * Asks a model to go on with a conversation. Its text is passed on as it comes.
 * @throws Error when the service does not answer as it should, or breaks its answer off
 */
export async function complete(
  { url, api_key: apiKey }: SpeechSettings['llm'],
  request: CompletionRequest,
  onText: (text: string) => void,
  signal: AbortSignal,
): Promise<Completed> {
  const { model, messages, temperature, tools } = request;
  const wantsUsage = !withoutOptions.has(url!);
  const body = JSON.stringify({
    ...named(model),
    messages,
    temperature,
    ...(tools.length === 0 ? {} : { tools: tools.map((tool) => ({ type: 'function', function: tool })) }),
    stream: true,
    ...(wantsUsage ? { stream_options: { include_usage: true } } : {}),
  });
  try {
    const answer = await ask(url!, { apiKey, contentType: 'application/json', body, signal });
    const collected = collector(onText);
    if (answer.contentType.includes('json') && !answer.contentType.includes('ndjson')) {
      collected.take(chunkIn(await textOf(answer.body, maxLineBytes)));
      return collected.completed();
    }
    let isStream = false;
    for await (const line of linesOf(answer.body as AsyncIterable<Buffer>)) {
      const data = /^data:\s*(.*)$/.exec(line.trim())?.[1];
      isStream ||= data !== undefined;
      if (data === '[DONE]') break;
      if (data !== undefined && data !== '') collected.take(chunkIn(data));
    }
    if (!isStream) throw new ServiceError(`${new URL(url!).host} answered no completion but ${answer.contentType}`);
    return collected.completed();
  } catch (error) {
    const isRefused = error instanceof ServiceError && (error.status === 400 || error.status === 422);
    if (!isRefused || !wantsUsage) throw error;
    withoutOptions.add(url!);
    return complete({ url, api_key: apiKey, model }, request, onText, signal);
  }
}
