import { after, monotonicMs } from '../../base/clock.ts';
import type { Header, Request } from '../message/message.ts';
import { responseTo, type ServerTransaction } from '../transaction/layer.ts';
import { giveUpMs } from '../transaction/machine.ts';
import type { Hop } from '../transport/hop.ts';
import type { Audio } from './audio.ts';
import { allowedMethods, type Context } from './context.ts';
import type { Dialog } from './dialog-state.ts';
import { withAddresses } from './description-hosts.ts';
import { contactIn } from './dialog.ts';
import { answerTo, type SessionTimer } from './session-timer.ts';

/** Our 200 to the INVITE of a call that came in. It was sent once, and is repeated until its ACK comes. */
export type FirstAnswer = { send(this: void): void; hasOffer: boolean };

export type RemoteOffersOptions = {
  dialog: Dialog;
  audio: Audio;
  timer: SessionTimer;
  firstAnswer: FirstAnswer | undefined;
  /** Whether an offer of ours waits for its answer. */
  isOffering: () => boolean;
  onFault: (errorMessage: string) => void;
};

/** Answers the session descriptions that the other side sends in INVITE and UPDATE. */
export type RemoteOffers = {
  answer(this: void, request: Request, from: Hop, server: ServerTransaction): Promise<void>;
  onAck(this: void, description: Buffer): Promise<void>;
  stop(): void;
};

const neverAcknowledged = 'The other side never acknowledged that the call was answered.';

export function createRemoteOffers(context: Context, options: RemoteOffersOptions): RemoteOffers {
  const { dialog, audio, timer, firstAnswer, isOffering, onFault } = options;
  /** The 2xx to an INVITE is repeated until its ACK comes (RFC 3261, section 13.3.1.4). */
  let stopRepeating = firstAnswer ? repeating(firstAnswer.send, () => onFault(neverAcknowledged)) : undefined;
  /** Whether our last 2xx had an offer, which the ACK answers. */
  let awaitsAnswer = firstAnswer?.hasOffer ?? false;
  /** Whether the host of an offer is being looked up. A later offer must not overtake it. */
  let isLookingUp = false;
  let isStopped = false;

  /** Only a request that is accepted moves anything: the other side's address, and the session timer. */
  function take(request: Request): void {
    dialog.target = contactIn(request) ?? dialog.target;
    timer.renewedBy(request);
  }

  return {
    async answer(request, from, server) {
      const reply = (status: number, reason: string, headers: readonly Header[] = [], body?: Buffer): void =>
        server.answer(responseTo(request, { status, reason, headers, from, ...(body === undefined ? {} : { body }) }));
      if (isOffering() || isLookingUp) return reply(491, 'Request Pending');
      const { tooShort, headers: session } = answerTo(request, context.settings.sessionExpiresSec);
      if (tooShort) return reply(422, 'Session Interval Too Small', session);
      const common: Header[] = [['Contact', dialog.contact], ['Allow', allowedMethods], ...session];
      const isInvite = request.method === 'INVITE';
      isLookingUp = true;
      const body = await withAddresses(context, request.body);
      isLookingUp = false;
      if (isStopped) return reply(481, 'Call/Transaction Does Not Exist');
      if (request.body.length === 0 && !isInvite) {
        take(request);
        return reply(200, 'OK', common);
      }
      const answer =
        body.length === 0
          ? { body: audio.offer(dialog.localHost) } // an INVITE without an offer gets ours in the 200
          : audio.answer(body, dialog.localHost);
      if ('fault' in answer) {
        context.log('info', { reason: answer.fault }, 'a changed session description was refused');
        return reply(488, 'Not Acceptable Here');
      }
      take(request);
      const typed: Header[] = [...common, ['Content-Type', 'application/sdp']];
      reply(200, 'OK', typed, answer.body);
      if (!isInvite) return;
      awaitsAnswer = request.body.length === 0;
      stopRepeating?.();
      stopRepeating = repeating(() => reply(200, 'OK', typed, answer.body));
    },
    async onAck(description) {
      stopRepeating?.();
      if (!awaitsAnswer) return;
      awaitsAnswer = false;
      const body = await withAddresses(context, description);
      if (isStopped) return;
      const fault = audio.applyAnswer(body);
      // After a re-INVITE the sound that was agreed on before goes on.
      if (fault !== null && audio.agreed === null) onFault(fault);
    },
    stop() {
      isStopped = true;
      stopRepeating?.();
    },
  };
}

/** Calls `repeat` at doubling gaps from 0.5 s to 4 s for 32 s, then `giveUp`, until the returned function is called. */
function repeating(repeat: () => void, giveUp: () => void = () => undefined): () => void {
  const startedMs = monotonicMs();
  let gapMs = 500;
  let cancel = after(gapMs, next);
  function next(): void {
    if (monotonicMs() - startedMs >= giveUpMs) return giveUp();
    repeat();
    gapMs = Math.min(gapMs * 2, 4000);
    cancel = after(gapMs, next);
  }
  return () => cancel();
}
