import type { Line } from '../../../telephony/audio/speech.ts';
import { useOwnTool } from '../../conversation/own-tools.ts';
import { playedOut, waitsForSound } from '../../conversation/played-out.ts';
import type { AgentInCall, ToolCall } from '../engine.ts';
import type { ServerEvent } from './server-event.ts';

export type ToolCallEvents = {
  tool(call: ToolCall): Promise<string>;
  /** A tool was used that needs nothing but the call. `fault`: null if it succeeded. */
  used(name: string, fault: string | null): void;
  machineSpeaks(): void;
  /** The agent hangs up when what it says is played. */
  endCall(): void;
  /** What the model is told. */
  output(callId: string, output: string): void;
  /** Every tool of the answer has been told: the model may go on. */
  answered(): void;
};

const maxArgsChars = 100_000;
/** No model calls as many functions at the same time. */
const maxPending = 16;
/** The last calls, which are told twice by some servers. */
const maxRemembered = 1000;

/** The functions that the model calls in a session, each once. */
export function createToolCalls(agent: Pick<AgentInCall, 'detectsVoicemail'>, line: Line, events: ToolCallEvents) {
  const names = new Map<string, string>();
  const seen = new Set<string>();
  let pending = 0;
  let isOver = false;

  async function carryOut(call: ToolCall): Promise<string> {
    if (waitsForSound(call.name)) await playedOut(() => !isOver && line.queuedMs() > 0);
    return events.tool(call).catch(() => '{"error":"failed"}');
  }

  async function run(call: ToolCall): Promise<void> {
    const own = useOwnTool(agent, call, line);
    if (own) events.used(call.name, own.fault);
    const tooMany = pending >= maxPending ? '{"error":"too many tools at the same time"}' : undefined;
    pending += 1;
    const output = own?.output ?? tooMany ?? (await carryOut(call));
    pending -= 1;
    if (isOver) return;
    events.output(call.id, output);
    const isDone = own?.fault === null;
    if (isDone && call.name === 'end_call') events.endCall();
    else if (isDone && call.name === 'report_voicemail') events.machineSpeaks();
    else if (pending === 0) events.answered();
  }

  function begin(id: string | undefined, name: string | undefined, args: string | undefined): void {
    if (id === undefined || name === undefined || seen.has(id)) return;
    seen.add(id);
    if (seen.size > maxRemembered) seen.delete(seen.values().next().value!);
    void run({ id, name, args: (args ?? '').slice(0, maxArgsChars) });
  }

  return {
    /** Servers tell of a call in one or the other of these events, or in both. */
    event({ type, item, item_id: itemId, call_id: callId, name, arguments: args }: ServerEvent): void {
      if (type === 'response.output_item.added' && item?.type === 'function_call' && item.name !== undefined) {
        names.set(item.id ?? item.call_id ?? '', item.name);
        if (names.size > maxRemembered) names.delete(names.keys().next().value!);
      } else if (type === 'response.function_call_arguments.done') {
        begin(callId, name ?? names.get(itemId ?? ''), args);
      } else if (type === 'response.output_item.done' && item?.type === 'function_call') {
        begin(item.call_id, item.name ?? names.get(item.id ?? '') ?? '', item.arguments);
      }
    },
    isBusy: (): boolean => pending > 0,
    stop: () => void (isOver = true),
  };
}
