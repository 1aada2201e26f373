import { after } from '../../base/clock.ts';
import { messageOf } from '../../base/errors.ts';
import type { HangUp } from '../audio/speech.ts';
import { NoFreePort, noMedia } from '../media/session.ts';
import { headerLines, noBody, type Response } from '../message/message.ts';
import { identityOf } from '../message/parse.ts';
import { writtenHostPort } from '../message/uri.ts';
import type { Hop } from '../transport/hop.ts';
import { isTransportNamed, readTarget, resolveHops } from '../transport/resolve.ts';
import { type Audio, openAudio } from './audio.ts';
import { type Context, refusedAddress } from './context.ts';
import { withAddresses } from './description-hosts.ts';
import { dialogOf, remoteTagOf, requestIn, send, updateHop } from './dialog.ts';
import { authorizationIn, Inviting, ownSideOf, type Round } from './inviting.ts';
import { keyPresses } from './key-presses.ts';
import { disconnectReasonOf, type LiveCall, lostSound } from './live-call.ts';
import { reasonTextIn, sentenceOf, verdictOf } from './outcome.ts';
import type { CallEnd, DialRequest, SipFacts } from './reports.ts';
import { acknowledge, createTalk, failure, type Talk, type TalkEnd } from './talk.ts';

/** How long the final response to a cancelled INVITE is awaited before the end of the call is reported without it. */
const cancelledMs = 5000;

/** More phones than a call rings at once. */
const maxForks = 32;

type End = Pick<CallEnd, 'status' | 'errorMessage'> & Partial<CallEnd>;

/** A call that this side places, from its INVITE to its end. It reports to the context; `onOver` is called once, at the end. */
export class OutgoingCall implements LiveCall {
  readonly #context: Context;
  readonly #call: DialRequest;
  readonly #onOver: () => void;
  #inviting: Inviting | undefined;
  #audio: Audio | undefined;
  #talk: Talk | undefined;
  /** Set as soon as a 2xx is taken, while its ACK is on its way. */
  #acceptedTag: string | undefined;
  /** The session descriptions of provisional responses by the tag of who sent them. */
  readonly #early = new Map<string, Buffer>();
  #statusCode: number | null = null;
  #isReached = false;
  #isRinging = false;
  /** Why the call is to end before its answer. */
  #cancelled: HangUp | undefined;
  /** Why the call may not ring any more. */
  #withdrawn: string | undefined;
  #isOver = false;
  /** Resolves when nothing is left at the other side. */
  #settled: Promise<unknown> = Promise.resolve();
  #timers: Array<() => void> = [];

  constructor(context: Context, call: DialRequest, onOver: () => void) {
    this.#context = context;
    this.#call = call;
    this.#onOver = onOver;
  }

  get id(): string {
    return this.#call.id;
  }
  get talk(): Talk | undefined {
    return this.#talk;
  }
  get audio(): Audio | undefined {
    return this.#audio;
  }

  async begin(): Promise<void> {
    const hops = await this.#findHops();
    if (!hops || !(await this.#openAudio(hops[0]!))) return;
    this.#timers.push(after(this.#call.ringTimeoutMs, () => this.#onRingTimeout()));
    this.#inviting = new Inviting(this.#context, {
      call: this.#call,
      hops,
      mayUseTcp: !isTransportNamed(this.#call.trunk),
      offer: (localHost) => this.#audio!.offer(localHost),
      events: {
        invited: ({ transport, address, port }) =>
          this.#context.report(this.id, {
            type: 'invited',
            target: `${writtenHostPort(address, port)} (${transport.toUpperCase()})`,
          }),
        forbidden: (reason) => this.#takeBack(reason),
        provisional: (response) => this.#onProvisional(response),
        accepted: (response, round) => void this.#onAnswer(response, round),
        refused: (response) => this.#onRefusal(response),
        unreachable: (reason, nothingThere) => this.#onUnreachable(reason, nothingThere),
      },
    });
    await this.#inviting.send();
  }

  /** A trunk that has said nothing at all is out of reach, although the ring time-out is shorter than the wait for its first answer. */
  #onRingTimeout(): void {
    const inviting = this.#inviting;
    const isSilent = inviting !== undefined && !inviting.isHeard && !inviting.hadProvisional;
    if (isSilent && !this.#cancelled) {
      inviting.cancel(); // goes out if the trunk answers after all
      return this.#outOfReach('no answer from the trunk within sip.ring_timeout_ms', false);
    }
    this.#cancel({ status: 'completed', errorMessage: 'Not answered in time (sip.ring_timeout_ms).' });
  }

  /** The targets that may be called; undefined if there are none, and the call has ended. */
  async #findHops(): Promise<readonly Hop[] | undefined> {
    let hops: readonly Hop[];
    try {
      hops = await resolveHops(readTarget(this.#call.trunk), this.#context.resolver, Math.random);
    } catch (error) {
      this.#outOfReach(messageOf(error), true);
      return undefined;
    }
    if (this.#isOver) return undefined;
    const allowed = hops.filter(({ address }) => this.#context.isAllowed(address));
    if (allowed.length === 0) this.#fail(refusedAddress('address of the trunk', hops[0]!.address));
    return allowed.length === 0 ? undefined : allowed;
  }

  async #openAudio(hop: Hop): Promise<boolean> {
    try {
      const audio = await openAudio(this.#context, hop, this.id, {
        key: this.#keys.sound,
        silence: () => this.#talk?.hangUp(failure(lostSound)),
        hangUp: (how) => this.hangUp(how),
      });
      if (this.#isOver) audio.session.close();
      else this.#audio = audio;
    } catch (error) {
      const reason = messageOf(error);
      this.#fail(error instanceof NoFreePort ? reason : `The sound of the call could not be set up: ${reason}`);
    }
    return !this.#isOver;
  }

  readonly #keys = keyPresses((digit) => {
    this.#context.report(this.id, { type: 'key', digit });
    if (this.#talk) this.#context.speech.open(this.id).key(digit);
  });

  #onProvisional(response: Response): void {
    const { status, body } = response;
    this.#reached();
    const tag = identityOf(response).toTag ?? '';
    if (body.length > 0 && (this.#early.has(tag) || this.#early.size < maxForks)) this.#early.set(tag, body);
    if (this.#isRinging || (status !== 180 && status !== 183)) return;
    this.#isRinging = true;
    this.#context.speech.open(this.id);
    this.#context.report(this.id, { type: 'ringing' });
  }

  #reached(): void {
    if (this.#isReached) return;
    this.#isReached = true;
    this.#context.report(this.id, { type: 'reached' });
  }

  #onRefusal(response: Response): void {
    const { status, reason } = response;
    const hadProvisional = this.#inviting?.hadProvisional ?? false;
    const answer = { status, reason, reasonText: reasonTextIn(headerLines(response, 'Reason')), hadProvisional };
    this.#statusCode = status;
    const verdict = verdictOf(answer);
    if (this.#cancelled) return this.#finishCancelled(this.#cancelled.errorMessage ?? sentenceOf(answer));
    if (verdict.type === 'out-of-reach') return this.#outOfReach(sentenceOf(answer), false);
    this.#reached();
    this.#finish({ ...verdict, errorMessage: sentenceOf(answer) });
  }

  #onUnreachable(reason: string, nothingThere: boolean): void {
    if (this.#inviting?.hadProvisional) return this.#fail(`The connection to the trunk broke: ${reason}`);
    this.#outOfReach(reason, nothingThere);
  }

  /** The first 2xx is kept. The same one again is acknowledged again; that of another fork, or of a cancelled call, gets ACK and BYE. */
  async #onAnswer(response: Response, round: Round): Promise<void> {
    const dialog = dialogOf(response, ownSideOf(this.#context, this.#call, round));
    const isFirst = this.#acceptedTag === undefined && !this.#cancelled && !this.#isOver;
    const isRepeated = this.#acceptedTag !== undefined && this.#acceptedTag === remoteTagOf(dialog);
    if (isRepeated) {
      if (this.#talk) acknowledge(this.#context, this.#talk.dialog, response, authorizationIn(round));
      return;
    }
    if (isFirst) {
      this.#acceptedTag = remoteTagOf(dialog) ?? '';
      this.#statusCode = response.status;
      this.#reached();
    } else if (this.#cancelled) {
      this.#isRinging = true;
      this.#finishCancelled(this.#cancelled.errorMessage);
    }
    const [body] = await Promise.all([
      withAddresses(this.#context, this.#descriptionIn(response)),
      updateHop(this.#context, dialog),
    ]);
    if (isFirst) this.#context.journal.answered(this.id, dialog);
    acknowledge(this.#context, dialog, response, authorizationIn(round));
    if (!isFirst || this.#isOver) return void send(this.#context, dialog, requestIn(this.#context, dialog, 'BYE'));
    this.#beginTalk(response, body, dialog);
  }

  #beginTalk(response: Response, body: Buffer, dialog: Talk['dialog']): void {
    this.#stopTimers();
    this.#inviting!.stop();
    const fault = this.#audio!.applyAnswer(body);
    const talk = createTalk(this.#context, {
      dialog,
      audio: this.#audio!,
      opening: response,
      maxDurationMs: this.#call.maxDurationMs,
      onKey: this.#keys.info,
      onTransferred: (phone) => this.#context.report(this.id, { type: 'transferred', phone }),
      onEnd: (end, settled) => this.#endTalk(end, settled),
    });
    this.#talk = talk;
    if (fault !== null) return talk.hangUp(failure(fault));
    this.#context.report(this.id, { type: 'answered', sip: this.facts() });
    if (this.#cancelled) talk.hangUp(this.#cancelled);
  }

  /** A 2xx without a session description has that of the last provisional response with its tag. */
  #descriptionIn(response: Response): Buffer {
    return response.body.length > 0 ? response.body : (this.#early.get(identityOf(response).toTag ?? '') ?? noBody);
  }

  #endTalk(end: TalkEnd, settled: Promise<unknown>): void {
    this.#settled = settled;
    const { status, errorMessage } = end.hangUp;
    this.#finish({ status, errorMessage, disconnectReason: disconnectReasonOf(end), talkedMs: end.talkedMs });
  }

  /** A 2xx without a transaction. */
  onStray(response: Response): void {
    const round = this.#inviting?.roundOf(response);
    if (round) void this.#onAnswer(response, round);
  }

  /** CANCEL before the answer, BYE after it. */
  hangUp(hangUp: HangUp): void {
    if (this.#talk) this.#talk.hangUp(hangUp);
    else this.#cancel(hangUp);
  }

  /** Does nothing for a call that has rung, or that is hung up. */
  withdraw(reason: string): void {
    if (!this.#isRinging && this.#acceptedTag === undefined && !this.#cancelled) this.#takeBack(reason);
  }

  #takeBack(reason: string): void {
    this.#withdrawn = reason;
    this.#cancel({ status: 'completed', errorMessage: reason });
  }

  #cancel(reason: HangUp): void {
    if (this.#isOver || this.#cancelled) return;
    this.#cancelled = reason;
    if (this.#acceptedTag !== undefined) return; // its ACK is on its way, and the BYE follows
    if (!this.#inviting?.cancel()) return this.#finishCancelled(reason.errorMessage);
    this.#timers.push(after(cancelledMs, () => this.#finishCancelled(reason.errorMessage)));
  }

  #finishCancelled(errorMessage: string | null): void {
    if (this.#withdrawn !== undefined && !this.#isRinging) return this.#finishWithdrawn(this.#withdrawn);
    this.#finish({ status: this.#cancelled?.status === 'failed' ? 'failed' : 'no_answer', errorMessage });
  }

  #finishWithdrawn(reason: string): void {
    if (this.#isOver) return;
    this.#end();
    this.#context.report(this.id, { type: 'withdrawn', reason, sip: this.facts() });
  }

  #fail(errorMessage: string): void {
    this.#finish({ status: 'failed', errorMessage });
  }

  #outOfReach(reason: string, nothingThere: boolean): void {
    if (this.#isOver) return;
    if (this.#cancelled) return this.#finishCancelled(this.#cancelled.errorMessage);
    this.#end();
    this.#context.report(this.id, { type: 'out-of-reach', reason, nothingThere, sip: this.facts() });
  }

  #finish(end: End): void {
    if (this.#isOver) return;
    this.#end();
    const disconnectReason = end.status === 'failed' ? 'error' : (end.disconnectReason ?? null);
    const { invalidNumber = false, unwanted = false, talkedMs = null, status, errorMessage } = end;
    const full = { status, errorMessage, invalidNumber, unwanted, talkedMs, disconnectReason };
    this.#context.report(this.id, { type: 'ended', end: full, sip: this.facts() });
  }

  #end(): void {
    this.#isOver = true;
    this.#stopTimers();
    this.#inviting?.stop();
    this.#audio?.session.close();
    void this.#settled.then(() => this.#context.journal.ended(this.id));
    this.#onOver();
  }

  #stopTimers(): void {
    for (const cancel of this.#timers) cancel();
    this.#timers = [];
  }

  facts(): SipFacts {
    const sound = this.#audio?.session.stats() ?? noMedia;
    return {
      ...sound,
      ...this.#context.speech.turns(this.id),
      call_id: this.#context.tokens.callId(this.id),
      status_code: this.#statusCode,
    };
  }
}
