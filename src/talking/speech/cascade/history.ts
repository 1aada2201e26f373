import type { ToolCall } from '../engine.ts';
import type { ChatMessage } from './completion.ts';

/** Of all messages together; the oldest are forgotten first. */
const maxCharacters = 60_000;

type Assistant = Extract<ChatMessage, { role: 'assistant' }>;
type ToolMessage = Extract<ChatMessage, { role: 'tool' }>;

/** The conversation as the model is told it: what was heard and what was really said. */
export type History = {
  /** `instructions` hold for this answer only. */
  messages(instructions?: string): ChatMessage[];
  heard(this: void, text: string): void;
  /** Keeps the place of what was heard before the next answer, and is still to be written down. */
  hears(): (text: string) => void;
  /** What the agent said; later calls replace it. Empty: nothing. */
  said(): (text: string) => void;
  /** The model called tools. Returns how the result of each is told. */
  called(calls: readonly ToolCall[]): (id: string, output: string) => void;
};

const sizeOf = (message: ChatMessage): number => (message.content?.length ?? 0) + 50;

export function createHistory(system: string): History {
  let entries: ChatMessage[] = [];

  function trim(): void {
    let size = entries.reduce((sum, message) => sum + sizeOf(message), 0);
    let first = 0;
    while (size > maxCharacters && first < entries.length - 1) {
      size -= sizeOf(entries[first]!);
      first += 1;
    }
    // The results of tools must not stand without their calls.
    while (first > 0 && entries[first]?.role === 'tool') first += 1;
    entries = entries.slice(first);
  }

  function add(message: ChatMessage): void {
    entries.push(message);
    trim();
  }

  return {
    messages: (instructions) => [
      { role: 'system', content: instructions === undefined ? system : `${system}\n\n${instructions}` },
      ...entries.filter(({ content, ...rest }) => content !== '' || 'tool_calls' in rest),
    ],
    heard: (content) => add({ role: 'user', content }),
    hears() {
      const message: ChatMessage = { role: 'user', content: '' };
      add(message);
      return (text) => void (message.content = text);
    },
    said() {
      const message: Assistant = { role: 'assistant', content: '' };
      add(message);
      return (text) => void (message.content = text);
    },
    called(calls) {
      add({
        role: 'assistant',
        content: null,
        tool_calls: calls.map(({ id, name, args }) => ({ id, type: 'function', function: { name, arguments: args } })),
      });
      const results = new Map<string, ToolMessage>();
      for (const { id } of calls) {
        // Told at once, since the conversation may go on before the tool is done.
        const message: ToolMessage = { role: 'tool', tool_call_id: id, content: '{"status":"running"}' };
        results.set(id, message);
        add(message);
      }
      return (id, output) => {
        const message = results.get(id);
        if (message) message.content = output;
      };
    },
  };
}
