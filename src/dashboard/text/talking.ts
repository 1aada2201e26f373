import { number } from './plural.ts';

/** `find_slots` as “find slots”. */
const toolText = (name: string): string => name.replaceAll('_', ' ');

/** Talking to an agent from its page. */
export const talking = {
  talk: 'Talk to this agent',
  conversation: 'Conversation',
  mode: 'Text or voice',
  modes: { text: 'Text', voice: 'Voice' },
  textHint: 'Type with the agent as the fields are, saved or not. Nobody is called, and nothing is booked.',
  simulated: 'Simulated: no language model is set, so it answers from its knowledge bases or repeats what it heard.',
  changed: 'The fields have changed since: start over to talk to what they say now.',
  agentEnded: 'The agent has ended the conversation.',
  took: (total: number, first: number | null) =>
    first === null || first === total
      ? `${number(total)} ms`
      : `${number(total)} ms, first word after ${number(first)} ms`,
  passage: (name: string, page: number | null, score: number) =>
    `${name}${page === null ? '' : `, page ${number(page)}`} · ${score.toFixed(2)}`,
  toolTook: (name: string, ms: number, failed: boolean, tried: boolean) =>
    `${toolText(name)} · ${number(ms)} ms${failed ? ', failed' : tried ? ', tried only' : ''}`,
  hint: 'Talk to the agent as it is saved, through microphone and loudspeaker. Nobody is called.',
  unsaved: 'What is not saved is not part of it yet.',
  saySomething: 'Say something',
  send: 'Send',
  hangUp: 'Hang up',
  startOver: 'Start over',
  starting: 'Connecting …',
  microphone: 'Waiting for the microphone: allow it, or type and listen.',
  live: 'The agent hears you.',
  muteMicrophone: 'Mute',
  muted: 'Your microphone is muted: the agent hears silence.',
  insecure:
    'This page came over plain http from another machine, so the browser gives no microphone. Type, and listen; over https one can talk.',
  refused: 'The browser gives no microphone: it is not allowed, or there is none. Type, and listen.',
  mute: 'Nothing is set that speaks (speech.engine), so one can only type with the agent.',
  tool: (name: string) => `uses ${toolText(name)}`,
  roles: { agent: 'Agent', user: 'You' },
  over: { customer_hangup: 'You hung up.', agent_hangup: 'The agent hung up.' } as Readonly<Record<string, string>>,
  broke: 'The call broke off.',
  broken: (reason: string) => `The call broke off: ${reason}`,
  see: 'See the call',
};
