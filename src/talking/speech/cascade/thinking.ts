import { allTools, useOwnTool } from '../../conversation/own-tools.ts';
import { playedOut, waitsForSound } from '../../conversation/played-out.ts';
import type { Line } from '../../../telephony/audio/speech.ts';
import type { AgentInCall, EngineEvents, ToolCall } from '../engine.ts';
import type { createCounts } from '../counts.ts';
import type { SpeechSettings } from '../settings.ts';
import type { Answer } from './answer.ts';
import { complete } from './completion.ts';
import type { History } from './history.ts';

type Wanted = { text?: string | undefined; instructions?: string | undefined };
/** What follows on the answer. */
export type Next = 'hang-up' | 'machine' | undefined;

export type Thinking = {
  line(line: Line): void;
  /** Gives an answer its text: as it stands, or from the model, whose tools are carried out. Throws when the service fails. */
  fill(answer: Answer, wanted: Wanted): Promise<Next>;
};

export type ThinkingParts = {
  settings: Pick<SpeechSettings, 'llm'>;
  agent: AgentInCall;
  events: Pick<EngineEvents, 'tool' | 'report'>;
};

/** A model that calls tools for ever must come to an end. */
const maxRounds = 8;

export function createThinking(
  { settings: { llm }, agent, events }: ThinkingParts,
  history: History,
  counts: Pick<ReturnType<typeof createCounts>, 'usage'>,
): Thinking {
  const tools = allTools(agent);
  let line: Line | undefined;

  async function outputOf(call: ToolCall, answer: Answer): Promise<string> {
    const own = useOwnTool(call.name, call.args, line!);
    if (!own) {
      if (waitsForSound(call.name)) await playedOut(() => answer.isSpeaking());
      return events.tool(call);
    }
    events.report({ type: 'tool', name: call.name, fault: own.fault });
    return own.output;
  }

  /** One answer of the model; resolves with what follows, or null when the model is to go on. */
  async function round(answer: Answer, instructions: string | undefined): Promise<Next | null> {
    const request = {
      model: agent.model,
      messages: history.messages(instructions),
      temperature: agent.temperature,
      tools,
    };
    const { toolCalls, usage } = await complete(llm, request, (text) => answer.text(text), answer.signal);
    answer.flush();
    if (usage)
      counts.usage({
        type: 'response.done',
        response: { usage: { input_tokens: usage.inputTokens, output_tokens: usage.outputTokens } },
      });
    if (toolCalls.length === 0) return undefined;
    const tell = history.called(toolCalls);
    await Promise.all(toolCalls.map(async (call) => tell(call.id, await outputOf(call, answer))));
    if (toolCalls.some(({ name }) => name === 'report_voicemail')) return 'machine';
    if (toolCalls.some(({ name }) => name === 'end_call')) return 'hang-up';
    answer.signal.throwIfAborted();
    return null;
  }

  return {
    line: (given) => void (line = given),
    async fill(answer, { text, instructions }) {
      if (text !== undefined) {
        answer.text(text);
        answer.flush();
        return undefined;
      }
      for (let number = 0; number < maxRounds; number += 1) {
        const next = await round(answer, instructions);
        if (next !== null) return next;
      }
      return undefined;
    },
  };
}
