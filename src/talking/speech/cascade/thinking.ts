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

const followsOn: Readonly<Record<string, Next>> = { end_call: 'hang-up', report_voicemail: 'machine' };

/** A model that calls tools for ever must come to an end. */
const maxRounds = 8;

export function createThinking(
  { settings: { llm }, agent, events }: ThinkingParts,
  history: History,
  counts: Pick<ReturnType<typeof createCounts>, 'usage'>,
): Thinking {
  const tools = allTools(agent);
  let line: Line | undefined;

  /** Resolves with what the model is told, and whether the call goes on otherwise after it. */
  async function use(call: ToolCall, answer: Answer): Promise<{ output: string; next: Next }> {
    const own = useOwnTool(agent, call, line!);
    if (!own) {
      if (waitsForSound(call.name)) await playedOut(() => answer.isSpeaking());
      return { output: await events.tool(call), next: undefined };
    }
    events.report({ type: 'tool', name: call.name, fault: own.fault });
    return { output: own.output, next: own.fault === null ? followsOn[call.name] : undefined };
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
    answer.isUsingTools = true;
    const used = await Promise.all(
      toolCalls.map(async (call) => {
        const { output, next } = await use(call, answer);
        tell(call.id, output);
        return next;
      }),
    );
    answer.isUsingTools = false;
    if (used.includes('machine')) return 'machine';
    if (used.includes('hang-up')) return 'hang-up';
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
