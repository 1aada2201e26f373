import type { App } from '../../../kernel/app.ts';
import { argumentsOf, endCall, sendDtmf } from '../../../talking/conversation/own-tools.ts';
import type { ToolCall } from '../../../talking/speech/engine.ts';
import type { Agent } from '../../agents/agent.ts';
import type { Passage } from '../../knowledge/query.ts';
import type { Call } from '../call.ts';
import { askDocuments } from '../tools/knowledge.ts';
import { tryTool } from '../tools/tool.ts';
import { type ToolInTurn, valueOf } from './conversation.ts';

/** A tool that acts outside is not carried out; its result is what it would mostly be. */
function pretended({ id, name, args }: ToolCall): object | undefined {
  if (name === 'transfer_call') return { transferred: true };
  if (name === 'book_slot') {
    const { start = null } = valueOf(args) as { start?: unknown };
    return { booked: true, booking_id: `tried-${id}`, start };
  }
  if (name !== 'send_dtmf') return undefined;
  const keys = argumentsOf(sendDtmf, args);
  return 'error' in keys ? keys : { sent: true };
}

export type UsedTool = { tool: ToolInTurn; output: string; passages: Passage[] };

/** Carries out a tool that a model calls in a conversation by text, or tells what it would have done. */
export async function useTool(app: App, use: { call: Call; agent: Agent }, called: ToolCall): Promise<UsedTool> {
  const startedMs = performance.now();
  const done = (output: string, tried: boolean, passages: Passage[] = []): UsedTool => {
    const result = valueOf(output);
    const failed = result !== null && typeof result === 'object' && 'error' in result;
    const durationMs = Math.round(performance.now() - startedMs);
    return {
      tool: { name: called.name, arguments: valueOf(called.args), result, durationMs, failed, tried },
      output,
      passages,
    };
  };
  if (called.name === 'end_call') {
    const read = argumentsOf(endCall, called.args);
    return done(JSON.stringify('error' in read ? read : { done: true }), false);
  }
  const result = pretended(called);
  if (result) return done(JSON.stringify(result), true);
  const output = await tryTool(app, use, called);
  if (called.name !== 'search_knowledge') return done(output, false);
  return done(output, false, await passagesOf(app, use.agent, called));
}

/** The passages of a search with their documents, which the model is not told. */
async function passagesOf(app: App, agent: Agent, { args }: ToolCall): Promise<Passage[]> {
  const { query, limit } = valueOf(args) as { query?: unknown; limit?: unknown };
  if (typeof query !== 'string' || query === '') return [];
  return askDocuments(app, agent, query.slice(0, 1000), typeof limit === 'number' ? limit : undefined).catch(() => []);
}
