import { randomBytes } from 'node:crypto';
import { messageOf } from '../../base/errors.ts';
import type { HangUp } from '../audio/speech.ts';
import { noMedia } from '../media/session.ts';
import { type Header, headerOf, noBody, type Request } from '../message/message.ts';
import { identityOf } from '../message/parse.ts';
import { responseTo, type ServerTransaction } from '../transaction/layer.ts';
import type { Hop } from '../transport/hop.ts';
import { type Audio, openAudio, usesSrtp } from './audio.ts';
import { allowedMethods, type Context, contactOf } from './context.ts';
import { withAddresses } from './description-hosts.ts';
import type { Dialog } from './dialog-state.ts';
import { incomingDialogOf, updateHop } from './dialog.ts';
import { calledUsers, callersOf, type IncomingDecision, malformed, type Refusal } from './incoming-invite.ts';
import { keyPresses } from './key-presses.ts';
import { disconnectReasonOf, type LiveCall, lostSound } from './live-call.ts';
import type { CallEnd, SipFacts } from './reports.ts';
import { readDescription } from './session-description.ts';
import { answerTo } from './session-timer.ts';
import { createTalk, failure, type Talk } from './talk.ts';

type Arrival = { request: Request; from: Hop; server: ServerTransaction };

type Events = {
  /** The main thread has written the call; it is live. */
  accepted(callId: string, call: LiveCall): void;
  /** Called once: the call was refused, or has ended. */
  over(callId: string | undefined): void;
};

type Accepted = Extract<IncomingDecision, { accepted: true }>;

/** A call that the other side places, from its INVITE to its end. */
export class IncomingCall implements LiveCall {
  readonly #context: Context;
  readonly #arrival: Arrival;
  readonly #events: Events;
  /** The session description of the INVITE, with addresses. */
  #offer: Buffer = noBody;
  #id: string | undefined;
  #audio: Audio | undefined;
  #talk: Talk | undefined;
  /** Why the call is to end before it is answered. */
  #hungUp: HangUp | undefined;
  readonly #keys = keyPresses((digit) => {
    this.#context.report(this.#id!, { type: 'key', digit });
    if (this.#talk) this.#context.speech.open(this.#id!).key(digit);
  });
  #isFinal = false;
  #isOver = false;
  #settled: Promise<unknown> = Promise.resolve();

  constructor(context: Context, arrival: Arrival, events: Events) {
    this.#context = context;
    this.#arrival = arrival;
    this.#events = events;
  }

  get talk(): Talk | undefined {
    return this.#talk;
  }
  get audio(): Audio | undefined {
    return this.#audio;
  }

  /** Asks the main thread who answers, and answers. */
  async begin(): Promise<void> {
    const { request, from } = this.#arrival;
    this.#reply(100, 'Trying');
    const fault = malformed(request);
    if (fault) return this.#refuse(fault);
    this.#offer = await withAddresses(this.#context, request.body);
    const decision = await this.#context.decide({
      called: calledUsers(request),
      callers: callersOf(request),
      source: from.address,
      fault: this.#offerFault(),
    });
    if (!decision.accepted) return this.#refuse(decision);
    this.#id = decision.callId;
    this.#context.speech.open(decision.callId);
    this.#events.accepted(decision.callId, this);
    try {
      await this.#answer(decision);
    } catch (error) {
      this.#failUnanswered(500, 'Server Internal Error', messageOf(error));
    }
  }

  /** Why the offer cannot be used, as a sentence. */
  #offerFault(): string | null {
    const { from } = this.#arrival;
    if (this.#offer.length === 0) return null; // our 200 has the offer
    const { settings } = this.#context;
    const read = readDescription(this.#offer, { codecs: settings.codecs, srtp: usesSrtp(settings, from) });
    return 'fault' in read ? read.fault : null;
  }

  async #answer(decision: Accepted): Promise<void> {
    const { from } = this.#arrival;
    if (this.#hungUp) return this.#endUnanswered();
    const opened = await this.#openAudio();
    const localHost = await this.#context.transport.localHost(from);
    if (this.#hungUp) return this.#endUnanswered();
    if (!opened) return;
    const answer = this.#offer.length === 0 ? { body: opened.offer(localHost) } : opened.answer(this.#offer, localHost);
    if ('fault' in answer) return this.#failUnanswered(488, 'Not Acceptable Here', answer.fault);
    this.#beginTalk(decision, this.#dialog(decision, localHost), answer.body);
  }

  async #openAudio(): Promise<Audio | undefined> {
    try {
      this.#audio = await openAudio(this.#context, this.#arrival.from, this.#id!, {
        key: this.#keys.sound,
        silence: () => this.#talk?.hangUp(failure(lostSound)),
        hangUp: (how) => this.hangUp(how),
      });
      return this.#audio;
    } catch (error) {
      this.#failUnanswered(503, 'Service Unavailable', messageOf(error));
      return undefined;
    }
  }

  #dialog({ callId, user, credentials }: Accepted, localHost: string): Dialog {
    const { request, from } = this.#arrival;
    const identity = identityOf(request);
    const tag = this.#context.tokens.incomingTag(callId, identity.callId);
    const contact = contactOf(this.#context, from, localHost, user);
    return incomingDialogOf(request, tag, { hop: from, localHost, contact, credentials, mayUseTcp: true });
  }

  #beginTalk({ callId, maxDurationMs }: Accepted, dialog: Dialog, body: Buffer): void {
    const { request } = this.#arrival;
    const context = this.#context;
    const headers: Header[] = [
      ['Contact', dialog.contact],
      ['Allow', allowedMethods],
      ...answerTo(request, context.settings.sessionExpiresSec).headers,
      ['User-Agent', context.settings.userAgent],
      ['Content-Type', 'application/sdp'],
    ];
    const send = (): void => this.#reply(200, 'OK', { headers, body, toTag: dialog.local.split(';tag=').at(-1)! });
    context.journal.answered(callId, dialog);
    this.#isFinal = true;
    send();
    this.#talk = createTalk(context, {
      dialog,
      audio: this.#audio!,
      opening: request,
      answer: { send, hasOffer: request.body.length === 0 },
      maxDurationMs,
      onKey: this.#keys.info,
      onTransferred: (phone) => context.report(callId, { type: 'transferred', phone }),
      onEnd: (end, settled) => {
        this.#settled = settled;
        const { status, errorMessage } = end.hangUp;
        this.#finish({ status, errorMessage, talkedMs: end.talkedMs, disconnectReason: disconnectReasonOf(end) });
      },
    });
    context.report(callId, { type: 'answered', sip: this.facts() });
    void this.#findHop(callId, dialog);
  }

  /** Where requests of ours go; the answer did not wait for the look-up. */
  async #findHop(callId: string, dialog: Dialog): Promise<void> {
    await updateHop(this.#context, dialog);
    if (!this.#isOver) this.#context.journal.answered(callId, dialog);
  }

  /** The caller gave up before the answer. */
  cancel(): void {
    this.#giveUp({ status: 'completed', errorMessage: null }, 487, 'Request Terminated');
  }

  hangUp(hangUp: HangUp): void {
    if (this.#talk) this.#talk.hangUp(hangUp);
    else this.#giveUp(hangUp, 480, 'Temporarily Unavailable');
  }

  #giveUp(hangUp: HangUp, status: number, phrase: string): void {
    if (this.#isFinal) return;
    this.#hungUp = hangUp;
    this.#reply(status, phrase);
  }

  #refuse({ status, phrase, headers = [] }: Refusal): void {
    this.#reply(status, phrase, { headers });
    this.#isOver = true;
    this.#events.over(undefined);
  }

  #endUnanswered(): void {
    const { status, errorMessage } = this.#hungUp!;
    this.#finish({ status: status === 'failed' ? 'failed' : 'no_answer', errorMessage });
  }

  #failUnanswered(status: number, phrase: string, errorMessage: string): void {
    this.#reply(status, phrase);
    this.#finish({ status: 'failed', errorMessage });
  }

  /**
   * Sends a response to the INVITE. Does nothing after a final response, except for a repeated 200; the transaction repeats other final
   * responses.
   */
  #reply(
    status: number,
    reason: string,
    { toTag = randomBytes(8).toString('hex'), ...rest }: { headers?: Header[]; body?: Buffer; toTag?: string } = {},
  ): void {
    if (this.#isFinal && status !== 200) return;
    if (status >= 200) this.#isFinal = true;
    const { request, from, server } = this.#arrival;
    server.answer(responseTo(request, { status, reason, from, ...rest, ...(status === 100 ? {} : { toTag }) }));
  }

  #finish(end: Pick<CallEnd, 'status' | 'errorMessage'> & Partial<CallEnd>): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#audio?.session.close();
    const callId = this.#id!;
    const disconnectReason = end.status === 'failed' ? 'error' : null;
    const full = { disconnectReason, invalidNumber: false, unwanted: false, talkedMs: null, ...end } as const;
    this.#context.report(callId, { type: 'ended', end: full, sip: this.facts() });
    void this.#settled.then(() => this.#context.journal.ended(callId));
    this.#events.over(callId);
  }

  facts(): SipFacts {
    const sound = this.#audio?.session.stats() ?? noMedia;
    const callId = headerOf(this.#arrival.request, 'Call-ID')!;
    return { ...sound, ...this.#context.speech.turns(this.#id!), call_id: callId, status_code: null };
  }
}
