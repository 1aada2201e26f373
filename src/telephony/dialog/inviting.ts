import { after } from '../../base/clock.ts';
import { messageOf } from '../../base/errors.ts';
import { type Header, headerOf, type Request, type Response } from '../message/message.ts';
import { identityOf } from '../message/parse.ts';
import { writeMessage } from '../message/write.ts';
import type { ClientTransaction } from '../transaction/layer.ts';
import { giveUpMs } from '../transaction/machine.ts';
import type { Hop } from '../transport/hop.ts';
import { isTransportNamed } from '../transport/resolve.ts';
import { type Context, contactOf } from './context.ts';
import { type Challenges, createChallenges } from './challenges.ts';
import type { OwnSide } from './dialog.ts';
import { calledUri, cancelOf, inviteOf } from './invite.ts';
import type { DialRequest } from './reports.ts';

/** One INVITE on the wire. A call sends another one with credentials, with a longer session timer, or to the next target. */
export type Round = { invite: Request; hop: Hop; localHost: string; transaction: ClientTransaction };

export type InvitingEvents = {
  /** The first INVITE to a target goes out. */
  invited(hop: Hop): void;
  /** The call may not ring any more, so the INVITE was not sent. */
  forbidden(reason: string): void;
  /** Any provisional response but 100. */
  provisional(response: Response): void;
  /** A 2xx; of a fork, or of an INVITE that was given up, it may not be the first. */
  accepted(response: Response, round: Round): void;
  refused(response: Response): void;
  /** No target gave an answer. */
  unreachable(reason: string, nothingThere: boolean): void;
};

export type InvitingOptions = {
  call: DialRequest;
  hops: readonly Hop[];
  /** Whether an INVITE that is too large for UDP goes by TCP. */
  mayUseTcp: boolean;
  /** Called for every INVITE. */
  offer: (localHost: string) => Buffer;
  events: InvitingEvents;
};

const notBegun: ClientTransaction = {
  withdraw: () => undefined,
  cancelled: () => undefined,
  abandon: () => undefined,
};

const isSuccess = ({ status }: Response): boolean => status >= 200 && status < 300;

/** Gets an INVITE answered: tries the targets in order, answers challenges, and cancels. */
export class Inviting {
  readonly #context: Context;
  readonly #options: InvitingOptions;
  #hopIndex = 0;
  #invitedHop: Hop | undefined;
  #cseq = 0;
  #round: Round | undefined;
  readonly #challenges: Challenges;
  #minSessionSec: number | null = null;
  /** Whether the present INVITE got any response, 100 included: only then may it be cancelled (RFC 3261, section 9.1). */
  #hasResponse = false;
  #isCancelled = false;
  #cancelledRound: Round | undefined;
  #isDone = false;
  /** No target was connected to so far. */
  #isNothingThere = true;
  hadProvisional = false;

  constructor(context: Context, options: InvitingOptions) {
    this.#context = context;
    this.#options = options;
    this.#challenges = createChallenges(options.call.credentials);
  }

  /** Sends the next INVITE, if the call may still ring. */
  async send(): Promise<void> {
    this.#round = undefined;
    const { call, hops, mayUseTcp, offer } = this.#options;
    const hop = hops[this.#hopIndex]!;
    try {
      const localHost = await this.#context.transport.localHost(hop);
      const refusal = await this.#context.refusalOf(call.id);
      if (this.#isDone) return;
      if (refusal !== null) return this.#options.events.forbidden(refusal);
      this.#cseq += 1;
      const authorization = this.#challenges.headers({ method: 'INVITE', uri: calledUri(call) });
      const minSessionSec = this.#minSessionSec;
      const parts = { hop, hopIndex: this.#hopIndex, localHost, cseq: this.#cseq, authorization, minSessionSec };
      const body = offer(localHost);
      const invite = inviteOf(this.#context, call, { ...parts, body });
      const tcp = mayUseTcp ? this.#context.largeRequests.overTcp(hop, writeMessage(invite).length) : undefined;
      if (tcp) this.#transmit(inviteOf(this.#context, call, { ...parts, body, hop: tcp }), tcp, localHost);
      else this.#transmit(invite, hop, localHost);
    } catch (error) {
      this.#tryNext(messageOf(error), true);
    }
  }

  #transmit(invite: Request, hop: Hop, localHost: string): void {
    this.#hasResponse = false;
    // After a 100 the transaction waits without a limit, although a proxy may have sent it and its trunk may be dead.
    const giveUp = after(giveUpMs, () => this.#giveUp(round));
    const round: Round = { invite, hop, localHost, transaction: notBegun };
    this.#round = round;
    this.#context.journal.invited(this.#options.call.id, invite, hop);
    if (hop !== this.#invitedHop) this.#options.events.invited(hop);
    this.#invitedHop = hop;
    round.transaction = this.#context.transactions.request(invite, hop, {
      response: (response) => {
        if (response.status > 100) giveUp();
        if (isSuccess(response)) this.#options.events.accepted(response, round);
        else if (round === this.#round && !this.#isDone) this.#onResponse(round, response);
        else if (response.status < 200 && this.#isCancelled) this.#sendCancel(round); // given up before anything was heard
      },
      failed: (reason, isSilent) => {
        giveUp();
        if (round === this.#round && !this.#isDone) this.#onFailure(round, reason, isSilent);
      },
    });
  }

  /** Over UDP instead where only the size of the INVITE had chosen TCP. */
  #onFailure({ hop }: Round, reason: string, isSilent: boolean): void {
    const isForSize = hop.transport !== this.#options.hops[this.#hopIndex]!.transport;
    if (!isForSize || this.#hasResponse || this.#isCancelled) return this.#tryNext(reason, !isSilent);
    this.#context.largeRequests.refused(hop);
    void this.send();
  }

  #giveUp(round: Round): void {
    if (round !== this.#round || this.#isDone || !this.#hasResponse) return;
    this.#sendCancel(round);
    this.#tryNext(`no answer but 100 from ${round.hop.address}:${round.hop.port} within 32 s`, false);
  }

  #onResponse(round: Round, response: Response): void {
    const { status } = response;
    this.#hasResponse = true;
    if (status < 200) {
      this.hadProvisional ||= status > 100;
      if (this.#isCancelled) this.#sendCancel(round);
      if (status > 100) this.#options.events.provisional(response);
    } else if (this.#isCancelled || !this.#tryAgain(response)) this.#options.events.refused(response);
  }

  /** Whether another INVITE went out instead of accepting the refusal. */
  #tryAgain(response: Response): boolean {
    const { status } = response;
    if (status === 503 && !this.hadProvisional && this.#hopIndex + 1 < this.#options.hops.length) {
      this.#tryNext('SIP 503', false);
      return true;
    }
    if (status === 422) {
      const minSec = Number(/^\d{1,6}/.exec(headerOf(response, 'Min-SE') ?? '')?.[0] ?? 0);
      if (minSec === 0 || this.#minSessionSec !== null) return false;
      this.#minSessionSec = minSec;
    } else if (!this.#challenges.take(response)) return false;
    void this.send();
    return true;
  }

  #tryNext(reason: string, nothingThere: boolean): void {
    this.#isNothingThere &&= nothingThere;
    this.#round = undefined;
    this.#hopIndex += 1;
    const isLast = this.#hopIndex >= this.#options.hops.length;
    if (isLast || this.#isCancelled || this.hadProvisional) {
      this.#options.events.unreachable(reason, this.#isNothingThere);
    } else void this.send();
  }

  /**
   * Takes the INVITE back: it is not repeated any more, and its CANCEL leaves at once or with its first provisional response. Returns false
   * if none is on its way.
   */
  cancel(): boolean {
    this.#isCancelled = true;
    if (!this.#round) return false;
    this.#round.transaction.withdraw();
    if (this.#hasResponse) this.#sendCancel(this.#round);
    return true;
  }

  #sendCancel(round: Round): void {
    if (this.#cancelledRound === round) return;
    this.#cancelledRound = round;
    const { invite, hop, transaction } = round;
    const unheard = { response: () => undefined, failed: () => undefined };
    this.#context.transactions.request(cancelOf(invite), hop, unheard);
    transaction.cancelled();
  }

  /** Whether the present INVITE got any response. */
  get isHeard(): boolean {
    return this.#hasResponse;
  }

  /** The call has ended, or was answered: no further INVITE goes out. A later 2xx is still handed on. */
  stop(): void {
    this.#isDone = true;
  }

  /** The round whose INVITE has this CSeq number, for a 2xx without a transaction. */
  roundOf(response: Response): Round | undefined {
    const round = this.#round;
    return round && identityOf(response).cseq.number === identityOf(round.invite).cseq.number ? round : undefined;
  }
}

export const ownSideOf = (context: Context, call: DialRequest, { invite, hop, localHost }: Round): OwnSide => ({
  local: headerOf(invite, 'From')!,
  localSeq: identityOf(invite).cseq.number,
  hop,
  localHost,
  contact: contactOf(context, hop, localHost, call.from),
  credentials: call.credentials,
  mayUseTcp: !isTransportNamed(call.trunk),
});

export const authorizationIn = ({ invite }: Round): Header[] =>
  invite.headers.filter(([name]) => name === 'Authorization' || name === 'Proxy-Authorization');
