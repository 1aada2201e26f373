import { Ajv, type ValidateFunction } from 'ajv';
import { within } from '../../../base/clock.ts';
import { AppError, messageOf } from '../../../base/errors.ts';
import { transact } from '../../../db/transaction.ts';
import type { App } from '../../../kernel/app.ts';
import { appLocal } from '../../../kernel/node.ts';
import type { ToolCall, ToolDefinition } from '../../../talking/speech/engine.ts';
import type { Agent } from '../../agents/agent.ts';
import { findAgent } from '../../agents/service.ts';
import type { Call } from '../call.ts';
import { findCall } from '../service.ts';
import { recordTimeline, toolDetail } from '../timeline.ts';

/** What a tool knows of the call in which the model calls it. */
export type ToolUse = {
  call: Call;
  agent: Agent;
  /** The model's id of this use; the same when a use is repeated. */ id: string;
};

/** A function that the model of an agent may call in a call, carried out by the functions that the interface calls, too. */
export type CallTool = {
  name: string;
  /** How the model is told of it; null where the agent does not have it. */
  define(this: void, app: App, agent: Agent, call: Call): Promise<ToolDefinition | null>;
  /** `args` match the definition's parameters. Resolves with what the model is told. A fault that is thrown is told as `error`. */
  run(this: void, app: App, use: ToolUse, args: never): Promise<object>;
};

const registry = appLocal((): { tools: readonly CallTool[] } => ({ tools: [] }));

/** Tools come from features that stand later than calls, too. */
export const setCallTools = (app: App, tools: readonly CallTool[]): void => void (registry(app).tools = tools);

/** What the model of a call may use. */
export async function toolsOf(app: App, agent: Agent, call: Call): Promise<ToolDefinition[]> {
  const defined = await Promise.all(registry(app).tools.map((tool) => tool.define(app, agent, call)));
  return defined.filter((definition) => definition !== null);
}

/** How long a tool may take, in real time. */
const maxToolMs = 10_000;
/** Arguments are read on the main thread. */
const maxArgumentChars = 16_384;

const ajv = new Ajv({ allErrors: false, strict: false, validateFormats: false });
const validators = new WeakMap<object, ValidateFunction>();

/** Definitions are made anew for each call, so validators are kept by the text of their schema. */
const byText = new Map<string, object>();
const maxSchemas = 100;

function validatorOf(parameters: object): ValidateFunction {
  const text = JSON.stringify(parameters);
  if (byText.size > maxSchemas) byText.clear();
  const schema = byText.getOrInsert(text, parameters);
  const known = validators.get(schema) ?? ajv.compile(schema);
  validators.set(schema, known);
  return known;
}

function argumentsIn(args: string, { parameters }: ToolDefinition): object {
  if (args.length > maxArgumentChars) throw new AppError('invalid', 'the arguments are too long');
  let parsed: unknown;
  try {
    parsed = JSON.parse(args.trim() === '' ? '{}' : args);
  } catch {
    throw new AppError('invalid', 'the arguments are not JSON');
  }
  const isValid = validatorOf(parameters);
  if (isValid(parsed)) return parsed as object;
  const [error] = isValid.errors!;
  throw new AppError('invalid', `arguments${error!.instancePath} ${error!.message}`);
}

async function carryOut(app: App, callId: string, { id, name, args }: ToolCall): Promise<object> {
  const tool = registry(app).tools.find((known) => known.name === name);
  const call = await findCall(app.db, callId);
  if (call?.state !== 'in_progress') throw new AppError('conflict', 'the call has ended');
  const agent = await findAgent(app.db, call.orgId, call.agentId);
  const definition = tool && agent && (await tool.define(app, agent, call));
  if (!definition) throw new AppError('not_found', `there is no tool ${name}`);
  return tool.run(app, { call, agent, id }, argumentsIn(args, definition) as never);
}

/**
 * Carries out a tool outside of a call, for an agent that is tried. Resolves with JSON for the model, with `error` for a fault.
 */
export async function tryTool(app: App, use: Pick<ToolUse, 'call' | 'agent'>, tool: ToolCall): Promise<string> {
  const run = async (): Promise<object> => {
    const known = registry(app).tools.find(({ name }) => name === tool.name);
    const definition = known && (await known.define(app, use.agent, use.call));
    if (!definition) throw new AppError('not_found', `there is no tool ${tool.name}`);
    return known.run(app, { ...use, id: tool.id }, argumentsIn(tool.args, definition) as never);
  };
  const result = run().catch((error: unknown) => ({ error: messageOf(error) }));
  return JSON.stringify(await within(maxToolMs, result, () => ({ error: 'timed out' })));
}

/**
 * Carries out a tool for the model of a live call and writes it into the timeline. Resolves with JSON for the model, with `error` for a
 * fault. Never rejects. A tool that takes too long goes on, but its result is told to nobody.
 */
export async function useTool(app: App, callId: string, use: ToolCall): Promise<string> {
  const startedAt = performance.now();
  const carriedOut = carryOut(app, callId, use).catch((error: unknown) => ({ error: messageOf(error) }));
  const result = await within(maxToolMs, carriedOut, () => ({ error: 'timed out' }));
  const ms = Math.round(performance.now() - startedAt);
  await recordUse(app, callId, toolDetail(use.name, ms, 'error' in result ? result.error : null));
  return JSON.stringify(result);
}

async function recordUse(app: App, callId: string, detail: string): Promise<void> {
  try {
    const call = await findCall(app.db, callId);
    if (!call) return;
    const entry = { at: app.clock.now(), type: 'tool', detail } as const;
    await transact(app.db, call.orgId, (tx) => recordTimeline(tx, callId, entry));
  } catch (error) {
    app.log.warn({ callId, error: messageOf(error) }, 'the use of a tool could not be written');
  }
}
