import type { Codec } from '../audio/g711.ts';
import type { SpeechSession } from '../audio/speech.ts';
import type { SoundTap } from '../audio/tap.ts';
import type { Media } from '../media/session.ts';
import type { Credentials } from '../message/digest.ts';
import type { Header } from '../message/message.ts';
import { parseParameters } from '../message/parameters.ts';
import { writtenHostPort } from '../message/uri.ts';
import { writeVia } from '../message/via.ts';
import type { Transactions } from '../transaction/layer.ts';
import type { Hop } from '../transport/hop.ts';
import type { LargeRequests } from '../transport/large-requests.ts';
import type { Resolver } from '../transport/resolve.ts';
import type { Transport } from '../transport/transport.ts';
import type { IncomingDecision, IncomingInvite } from './incoming-invite.ts';
import type { Journal } from './journal.ts';
import type { CallReport } from './reports.ts';
import type { Tokens } from './tokens.ts';

export type PhoneSettings = {
  codecs: readonly Codec[];
  srtp: 'auto' | 'required' | 'off';
  sessionExpiresSec: number;
  userAgent: string;
};

/** The agents of all calls. They are opened when a call rings, and outlive its sound: whoever passes reports on ends them. */
export type Agents = {
  /** The agent of a call, which the first question opens. */
  open(callId: string): SpeechSession;
  /** Hears both sides of a call that is recorded. */
  tapOf?(callId: string): SoundTap;
  /** Part of the figures of a call. */
  turns(callId: string): { turns: number; interruptions: number };
  /** Hands the call on to a phone (E.164), as the call's number allows it; resolves with the refusal as a sentence, or null. */
  transfer(callId: string, to: string): Promise<string | null>;
};

/** Parts that all calls share. */
export type Context = {
  settings: PhoneSettings;
  transport: Transport;
  transactions: Transactions;
  largeRequests: LargeRequests;
  tokens: Tokens;
  media: Media;
  speech: Agents;
  resolver: Resolver;
  journal: Journal;
  /** Whether messages and sound may go to an address: public, or in `sip.allow_networks`. */
  isAllowed(address: string): boolean;
  /** Asks the main thread whether and how a call that comes in is answered. */
  decide(invite: IncomingInvite): Promise<IncomingDecision>;
  /** Asks the main thread why a call may not ring any more; null if it may. Before every INVITE that is not a mere repetition. */
  refusalOf(callId: string): Promise<string | null>;
  /** The credentials for a call of the previous process, whose trunk may challenge our BYE. */
  credentialsOf(callId: string): Promise<Credentials | null>;
  report(callId: string, report: CallReport): void;
  log(level: 'trace' | 'info' | 'warn', fields: object, message: string): void;
};

/** How a refused address is explained to users. */
export const refusedAddress = (what: string, address: string): string =>
  `The ${what} ${address} is not public; add its network to sip.allow_networks to allow it.`;

export const viaOf = (context: Pick<Context, 'transport'>, hop: Hop, localHost: string, branch: string): Header => [
  'Via',
  writeVia({
    transport: hop.transport.toUpperCase(),
    host: localHost,
    port: context.transport.portFor(hop),
    parameters: parseParameters(`;branch=${branch};rport`),
  }),
];

export const contactOf = (context: Context, hop: Hop, localHost: string, user: string): string => {
  const parameter = hop.transport === 'udp' ? '' : `;transport=${hop.transport}`;
  return `<sip:${user}@${writtenHostPort(localHost, context.transport.portFor(hop))}${parameter}>`;
};

export const allowedMethods = 'INVITE, ACK, CANCEL, BYE, UPDATE, INFO, OPTIONS, NOTIFY';
