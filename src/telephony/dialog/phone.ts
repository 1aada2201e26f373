import { messageOf } from '../../base/errors.ts';
import { createRateBudget } from '../../base/fair/rate-budget.ts';
import type { Media } from '../media/session.ts';
import { isRequest, type Message, type Request } from '../message/message.ts';
import { isFault, type Parsed } from '../message/parse.ts';
import type { Account, RegistrationReport } from '../registration/account.ts';
import { createRegistrations, type Registrations } from '../registration/registrations.ts';
import { createTransactions } from '../transaction/layer.ts';
import type { Hop } from '../transport/hop.ts';
import { createLargeRequests } from '../transport/large-requests.ts';
import type { Resolver } from '../transport/resolve.ts';
import { openTransport, type TransportOptions } from '../transport/transport.ts';
import { type Calls, createCalls } from './calls.ts';
import { type CheckRequest, type CheckResult, checkTrunk } from './check.ts';
import type { Context, PhoneSettings } from './context.ts';
import { callNamedIn, createDispatch } from './dispatch.ts';
import { createDrops } from './drops.ts';
import { createIncomingCalls } from './incoming-calls.ts';
import { noJournal, openJournal } from './journal.ts';
import type { LiveCall } from './live-call.ts';
import { endLeftover } from './previous-process.ts';
import type { CallReport } from './reports.ts';
import { createSources, type Sources } from './sources.ts';
import { createTokens } from './tokens.ts';
import { createTrace } from './trace.ts';

export type PhoneOptions = {
  transport: Omit<TransportOptions, 'onMessage' | 'onBroken' | 'ownerOf'>;
  settings: PhoneSettings;
  media: Media;
  speech: Context['speech'];
  resolver: Resolver;
  /**
   * A file in which open dialogs are recorded, so that the next start can end those that a crash left open. If null, a crash leaves them
   * open at the other side.
   */
  journalFile: string | null;
  /** Whether SIP messages are logged, at the level trace. */
  trace: boolean;
  /** The key of the HMACs from which Call-IDs, tags and branches are made. */
  secret: string;
  isAllowed: (address: string) => boolean;
  /** Whether an address is in `sip.inbound_networks`. */
  isInbound: (address: string) => boolean;
  decide: Context['decide'];
  refusalOf: Context['refusalOf'];
  /** Whether an INVITE may still be repeated: another process may have the call meanwhile. */
  mayInvite: () => boolean;
  credentialsOf: Context['credentialsOf'];
  report: (callId: string, report: CallReport) => void;
  reportRegistration: (accountId: string, report: RegistrationReport) => void;
  log: Context['log'];
};

export type PhoneMetrics = {
  /** Responses of the other sides, by their code. */
  responses: Readonly<Record<string, number>>;
  /** Messages that were dropped without an answer, by reason. */
  dropped: Readonly<Record<string, number>>;
};

/** All SIP calls of this process. */
export type Phone = Calls & {
  readonly port: number;
  /** Changes which addresses are those of trunks. */
  setSources: Sources['set'];
  /** Registers for an account; for a known one, tries again now with its new credentials. */
  register(account: Account): void;
  unregister: Registrations['unregister'];
  /** Asks a trunk with OPTIONS; resolves within 5 s. */
  check(request: CheckRequest): Promise<CheckResult>;
  metrics(): PhoneMetrics;
  close(): Promise<void>;
};

const journalOf = ({ journalFile, log }: PhoneOptions): ReturnType<typeof openJournal> =>
  journalFile === null
    ? { journal: noJournal, leftovers: [] }
    : openJournal(journalFile, (error) =>
        log('warn', { error: messageOf(error) }, 'the journal of SIP dialogs cannot be written'),
      );

/** Requests of the other side inside one call, but for BYE and ACK. One that was dropped comes again. */
const callPace = { perSecond: 20, burst: 60 };

/** @throws Error with `code` EADDRINUSE when the port is taken */
export async function openPhone(options: PhoneOptions): Promise<Phone> {
  const live = new Map<string, LiveCall>();
  const responses = new Map<string, number>();
  const drops = createDrops(options.log);
  const tokens = createTokens(options.secret);

  const sources = createSources(options.isInbound);
  const incoming = createIncomingCalls(sources, drops, () => ({ context, calls }));

  const callOf = (message: Message): string | undefined => callNamedIn(message, tokens);
  const paces = createRateBudget(callPace);

  function admits(request: Request, from: Hop): boolean {
    const callId = callOf(request);
    if (callId === undefined) return incoming.admits(request, from);
    if (request.method === 'BYE' || request.method === 'ACK' || paces.take(callId).allowed) return true;
    drops.add(request.method, 'too-many', from);
    return false;
  }
  const isKnown = (message: Message, { address }: Hop): boolean =>
    callOf(message) !== undefined || sources.ownerOf(address) !== undefined;
  const trace = options.trace ? createTrace(options.log, isKnown) : undefined;

  /** Returns whether the message belongs to a call of ours, which only connections need to know. */
  function onMessage(parsed: Parsed, from: Hop): boolean {
    if (isFault(parsed)) {
      drops.add(parsed.fault, 'malformed', from);
      return false;
    }
    if (!isRequest(parsed)) responses.set(String(parsed.status), (responses.get(String(parsed.status)) ?? 0) + 1);
    trace?.received(parsed, from);
    transactions.receive(parsed, from);
    return from.transport !== 'udp' && isRequest(parsed) && callOf(parsed) !== undefined;
  }

  const transport = await openTransport({
    ...options.transport,
    onMessage,
    onBroken(hop, reason) {
      transactions.broken(hop, reason);
      registrations.broken(hop, reason);
    },
    ownerOf: (address) => sources.ownerOf(address),
  });
  const transactions = createTransactions({
    send(hop, bytes, isWanted) {
      trace?.sent(bytes, hop);
      return transport.send(hop, bytes, isWanted);
    },
    admits,
    mayInvite: options.mayInvite,
    ...createDispatch({ live, incoming, drops, context: () => context }),
  });
  const { journal, leftovers } = journalOf(options);
  const largeRequests = createLargeRequests();
  const context: Context = { ...options, transport, transactions, largeRequests, tokens, journal };
  const calls = createCalls(context, live);
  const registrations = createRegistrations(
    { ...context, followsAddress: options.transport.advertisedHost === null },
    options.reportRegistration,
  );
  for (const leftover of leftovers) void endLeftover(context, leftover);

  return {
    ...calls,
    port: transport.port,
    setSources: (changes) => sources.set(changes),
    register: (account) => registrations.register(account),
    unregister: (accountId) => registrations.unregister(accountId),
    async stop(graceMs) {
      await Promise.all([calls.stop(graceMs), registrations.stop()]);
    },
    check: (request) => checkTrunk(context, request),
    metrics: () => ({ responses: Object.fromEntries(responses), dropped: Object.fromEntries(drops.counts) }),
    async close() {
      registrations.close();
      transactions.close();
      journal.close();
      await transport.close();
    },
  };
}
