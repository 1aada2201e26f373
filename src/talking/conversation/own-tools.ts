import type { Line } from '../../telephony/audio/speech.ts';
import type { AgentInCall, ToolDefinition } from '../speech/engine.ts';

/** Tools that need nothing but the call, and are carried out where it is. */

export const endCall: ToolDefinition = {
  name: 'end_call',
  description: 'Hangs up. Say goodbye first; what you have said is played to its end.',
  parameters: {
    type: 'object',
    properties: { reason: { type: 'string', description: 'Why the call is over' } },
    additionalProperties: false,
  },
};

export const sendDtmf: ToolDefinition = {
  name: 'send_dtmf',
  description: 'Presses keys of the telephone, for a menu of the other side.',
  parameters: {
    type: 'object',
    properties: { digits: { type: 'string', description: '1 to 32 of 0-9, *, #, A-D' } },
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

/** All tools of an agent. */
export const allTools = (agent: AgentInCall): ToolDefinition[] => [
  endCall,
  sendDtmf,
  ...(agent.detectsVoicemail ? [reportVoicemail] : []),
  ...agent.tools,
];

/** What the model is told of one of its own tools, and the fault if it failed. */
export type OwnResult = { output: string; fault: string | null };

const noKeys = 'the other side takes no keys';

/** Carries out a tool that needs nothing but the call; undefined for any other. What follows on `end_call` and `report_voicemail` is the engine's. */
export function useOwnTool(name: string, args: string, line: Pick<Line, 'sendKeys'>): OwnResult | undefined {
  if (name === 'end_call' || name === 'report_voicemail') return { output: '{"done":true}', fault: null };
  if (name !== 'send_dtmf') return undefined;
  const read = digitsIn(args);
  const fault = 'error' in read ? read.error : line.sendKeys(read.digits) ? null : noKeys;
  return { output: JSON.stringify(fault === null ? { sent: true } : { error: fault }), fault };
}

/** The keys of `send_dtmf`, or a fault for the model. */
export function digitsIn(args: string): { digits: string } | { error: string } {
  try {
    const { digits } = JSON.parse(args) as { digits?: unknown };
    if (typeof digits === 'string' && /^[0-9*#A-D]{1,32}$/i.test(digits)) return { digits: digits.toUpperCase() };
  } catch {
    // told as every other fault
  }
  return { error: 'digits must be 1 to 32 of 0-9, *, #, A-D' };
}
