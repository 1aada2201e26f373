import type { Line } from '../../telephony/audio/speech.ts';
import type { AgentInCall, ToolCall, ToolDefinition } from '../speech/engine.ts';

/** Tools that need nothing but the call, and are carried out where it is. */

export const endCall: ToolDefinition = {
  name: 'end_call',
  description: 'Hangs up. Say goodbye first; what you have said is played to its end.',
  parameters: {
    type: 'object',
    properties: { reason: { type: 'string', maxLength: 500, description: 'Why the call is over' } },
    additionalProperties: false,
  },
};

export const sendDtmf: ToolDefinition = {
  name: 'send_dtmf',
  description: 'Presses keys of the telephone, for a menu of the other side.',
  parameters: {
    type: 'object',
    properties: {
      digits: { type: 'string', pattern: '^[0-9*#A-Da-d]{1,32}$', description: '1 to 32 of 0-9, *, #, A-D' },
    },
    required: ['digits'],
    additionalProperties: false,
  },
};

const reportVoicemail: ToolDefinition = {
  name: 'report_voicemail',
  description:
    'Says that no person but a mailbox or an answering machine speaks. Say nothing when you call this: a message is left for you.',
  parameters: { type: 'object', properties: {}, additionalProperties: false },
};

const ownTools = (agent: Pick<AgentInCall, 'detectsVoicemail'>): ToolDefinition[] => [
  endCall,
  sendDtmf,
  ...(agent.detectsVoicemail ? [reportVoicemail] : []),
];

/** All tools of an agent. */
export const allTools = (agent: AgentInCall): ToolDefinition[] => [...ownTools(agent), ...agent.tools];

/** What the model is told of one of its own tools, and the fault if it failed. */
export type OwnResult = { output: string; fault: string | null };

const noKeys = 'the other side takes no keys';
const names: ReadonlySet<string> = new Set([endCall, sendDtmf, reportVoicemail].map(({ name }) => name));

/**
 * Carries out a tool that needs nothing but the call; undefined for any other. What follows on `end_call` and `report_voicemail` is the
 * engine's, where there is no fault.
 */
export function useOwnTool(
  agent: Pick<AgentInCall, 'detectsVoicemail'>,
  { name, args }: Pick<ToolCall, 'name' | 'args'>,
  line: Pick<Line, 'sendKeys'>,
): OwnResult | undefined {
  if (!names.has(name)) return undefined;
  const definition = ownTools(agent).find((tool) => tool.name === name);
  const read = definition ? argumentsOf(definition, args) : { error: `there is no tool ${name}` };
  if ('error' in read) return { output: JSON.stringify(read), fault: read.error };
  if (definition !== sendDtmf) return { output: '{"done":true}', fault: null };
  const fault = line.sendKeys(read['digits']!.toUpperCase()) ? null : noKeys;
  return { output: JSON.stringify(fault === null ? { sent: true } : { error: fault }), fault };
}

type TextProperty = { type: 'string'; maxLength?: number; pattern?: string; description: string };
type TextParameters = { properties: Record<string, TextProperty>; required?: readonly string[] };
type Arguments = Record<string, string> | { error: string };

/** The arguments of one of these tools, all of which are texts, or a fault for the model. By hand: a validator would be most of the thread. */
export function argumentsOf({ parameters }: ToolDefinition, args: string): Arguments {
  const { properties, required = [] } = parameters as TextParameters;
  const given = jsonObject(args);
  if (!given) return { error: 'the arguments are not a JSON object' };
  for (const name of required) if (!(name in given)) return { error: `${name} is missing` };
  for (const [name, value] of Object.entries(given)) {
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (!property) return { error: `there is no argument ${name.slice(0, 100)}` };
    if (typeof value !== 'string') return { error: `${name} must be a text` };
    const { maxLength = Infinity, pattern = '', description } = property;
    if (value.length > maxLength) return { error: `${name} is longer than ${maxLength} characters` };
    if (!new RegExp(pattern).test(value)) return { error: `${name} must be ${description}` };
  }
  return given as Record<string, string>;
}

function jsonObject(args: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(args.trim() === '' ? '{}' : args);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
