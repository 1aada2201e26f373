import { randomUUID } from 'node:crypto';
import { after, every, realTimeMs } from '../../base/clock.ts';
import { messageOf } from '../../base/errors.ts';
import { type Challenges, createChallenges } from '../dialog/challenges.ts';
import { type Context, refusedAddress, viaOf } from '../dialog/context.ts';
import type { Credentials } from '../message/digest.ts';
import type { Response } from '../message/message.ts';
import { writtenHostPort } from '../message/uri.ts';
import { branchCookie } from '../message/via.ts';
import type { ClientTransaction } from '../transaction/layer.ts';
import { type Hop, hopKey, isReliable } from '../transport/hop.ts';
import { readTarget, resolveHops } from '../transport/resolve.ts';
import type { Account, RegistrationReport } from './account.ts';
import { type Input, type Machine, newMachine, type Output, step } from './machine.ts';
import { type Endpoint, grantedSec, minExpiresSec, registerOf, registrarUri, seenAt } from './register.ts';

export type RegistrationContext = Pick<
  Context,
  'transport' | 'transactions' | 'resolver' | 'isAllowed' | 'settings'
> & {
  /** Whether our Contact is the address that the registrar sees; false with `sip.advertised_host`. */
  followsAddress: boolean;
};

export type RegistrationEvents = {
  changed(this: void, report: RegistrationReport): void;
  ended(this: void): void;
};

/** Keeps a NAT's mapping of our port to the registrar (RFC 5626, section 4.4.1). */
const keepAliveMs = 25_000;
const keepAlive = Buffer.from('\r\n\r\n');

/** 2025-01-01. CSeq must rise over a restart too, because the Call-ID stays: it begins with the quarters of a second since then. */
const epochMs = 1_735_689_600_000;
const firstCSeq = (): number => Math.max(1, Math.floor((realTimeMs() - epochMs) / 250));

type Sent = { hop: Hop; localHost: string; contact: string };

/** Runs the machine of one registration with its timers and messages. */
export class Registration {
  #machine: Machine;
  #credentials: Credentials | null;
  #challenges: Challenges;
  /** The next REGISTER answers a challenge to the last one. */
  #answersChallenge = false;
  #hops: Hop[] = [];
  #hopIndex = 0;
  /** Where the registrar sees us; null before it has said so. */
  #seen: Endpoint | null = null;
  #sent: Sent | null = null;
  /** The Contact that the registrar has confirmed. */
  #bound: string | null = null;
  #transaction: ClientTransaction | undefined;
  /** Counts what was sent: what belongs to an earlier one is no longer heard. */
  #serial = 0;
  #cancelWait: () => void = () => undefined;
  #stopKeepAlive: () => void = () => undefined;
  readonly #tag = randomUUID();

  readonly context: RegistrationContext;
  readonly account: Account;
  readonly events: RegistrationEvents;
  /** Of the last REGISTER. */
  cseq: number;

  constructor(context: RegistrationContext, account: Account, events: RegistrationEvents, cseq = firstCSeq()) {
    this.context = context;
    this.account = account;
    this.events = events;
    this.cseq = cseq;
    this.#machine = newMachine(account.expiresSec);
    this.#credentials = account.credentials;
    this.#challenges = createChallenges(account.credentials);
  }

  begin(): void {
    if (this.context.followsAddress) this.#stopKeepAlive = every(keepAliveMs, () => this.#sendKeepAlive());
    this.#handle({ type: 'begin' });
  }

  /** Tries again now, with these credentials. */
  retry(credentials: Credentials | null): void {
    this.#credentials = credentials;
    this.#handle({ type: 'retry' });
  }

  end(): void {
    this.#handle({ type: 'end' });
  }

  /** A connection broke, perhaps the one to the registrar. */
  broken(hop: Hop, reason: string): void {
    if (this.#sent && hopKey(this.#sent.hop) === hopKey(hop)) this.#handle({ type: 'broken', reason });
  }

  /** Stops without a word to the registrar. */
  close(): void {
    this.#serial += 1;
    this.#transaction?.abandon();
    this.#cancelWait();
    this.#stopKeepAlive();
  }

  #handle(input: Input): void {
    const { machine, outputs } = step(this.#machine, input, Math.random());
    this.#machine = machine;
    for (const output of outputs) this.#act(output);
  }

  #act(output: Output): void {
    switch (output.type) {
      case 'send':
        return void this.#post(output);
      case 'abandon':
        this.#serial += 1;
        return this.#transaction?.abandon();
      case 'wait':
        this.#cancelWait();
        this.#cancelWait = after(output.ms, () => this.#handle({ type: 'due' }));
        return;
      case 'stop-waiting':
        return this.#cancelWait();
      case 'changed':
        return this.events.changed(this.#report());
      case 'ended':
        this.close();
        return this.events.ended();
    }
  }

  #report(): RegistrationReport {
    const { state, detail, grantedSec: granted } = this.#machine;
    return {
      state,
      detail,
      expiresInMs: granted === null ? null : granted * 1000,
      contact: this.#sent?.contact ?? null,
    };
  }

  async #post({ expiresSec, target }: Extract<Output, { type: 'send' }>): Promise<void> {
    const serial = (this.#serial += 1);
    const isCurrent = (): boolean => serial === this.#serial;
    const failed = (reason: string): void => {
      const hasNextTarget = this.#hopIndex + 1 < this.#hops.length;
      if (isCurrent()) this.#handle({ type: 'failed', reason, hasNextTarget });
    };
    try {
      const hop = await this.#hopOf(target);
      const localHost = await this.context.transport.localHost(hop);
      if (!isCurrent()) return;
      const sent = { hop, localHost, contact: this.#contact(hop, localHost) };
      this.#sent = sent;
      this.#transaction = this.context.transactions.request(this.#request(sent, expiresSec), hop, {
        response: (response) => {
          if (response.status >= 200 && isCurrent()) this.#respond(response, sent);
        },
        failed,
      });
    } catch (error) {
      failed(messageOf(error));
    }
  }

  /** @throws Error when the registrar's name leads nowhere, or to addresses that are not allowed */
  async #hopOf(target: 'first' | 'same' | 'next'): Promise<Hop> {
    if (target === 'next') this.#hopIndex += 1;
    if (target === 'first') {
      this.#hops = [];
      this.#hopIndex = 0;
      const hops = await resolveHops(readTarget(this.account.trunk), this.context.resolver, Math.random);
      this.#hops = hops.filter(({ address }) => this.context.isAllowed(address));
      if (this.#hops.length === 0) throw new Error(refusedAddress('address of the trunk', hops[0]!.address));
    }
    const hop = this.#hops[this.#hopIndex];
    if (!hop) throw new Error('the registrar has not been reached');
    return hop;
  }

  #contact(hop: Hop, localHost: string): string {
    const { host, port } = this.#seen ?? { host: localHost, port: this.context.transport.portFor(hop) };
    const parameter = hop.transport === 'udp' ? '' : `;transport=${hop.transport}`;
    return `sip:${this.account.token}@${writtenHostPort(host, port)}${parameter}`;
  }

  #request({ hop, localHost, contact }: Sent, expiresSec: number) {
    if (!this.#answersChallenge) this.#challenges = createChallenges(this.#credentials);
    this.#answersChallenge = false;
    const { account, context } = this;
    return registerOf(account, {
      via: viaOf(context, hop, localHost, `${branchCookie}${randomUUID()}`),
      cseq: (this.cseq += 1),
      tag: this.#tag,
      expiresSec,
      contact,
      formerContact: this.#bound === contact ? null : this.#bound,
      authorization: this.#challenges.headers({ method: 'REGISTER', uri: registrarUri(account) }),
      userAgent: context.settings.userAgent,
    });
  }

  #respond(response: Response, sent: Sent): void {
    this.#takeAddress(response, sent);
    this.#answersChallenge = this.#challenges.take(response);
    if (response.status < 300) this.#bound = sent.contact;
    this.#handle({
      type: 'response',
      status: response.status,
      reason: response.reason,
      canAnswer: this.#answersChallenge,
      grantedSec: grantedSec(response, { token: this.account.token, contact: sent.contact }),
      minExpiresSec: minExpiresSec(response),
      hasMoved: this.#contact(sent.hop, sent.localHost) !== sent.contact,
      hasNextTarget: this.#hopIndex + 1 < this.#hops.length,
    });
  }

  #takeAddress(response: Response, { hop, localHost }: Sent): void {
    if (!this.context.followsAddress) return;
    const seen = seenAt(response);
    if (!seen) return;
    // Without NAT a connection's own port would not outlive the connection; our listener's does.
    this.#seen = isReliable(hop) && seen.host === localHost ? null : seen;
  }

  #sendKeepAlive(): void {
    if (this.#machine.state !== 'registered' || !this.#sent) return;
    this.context.transport.send(this.#sent.hop, keepAlive).catch(() => undefined); // the next REGISTER finds out
  }
}
