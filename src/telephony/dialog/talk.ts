import { after, monotonicMs } from '../../base/clock.ts';
import { type Header, headerLines, headerOf, type Request, type Response } from '../message/message.ts';
import { identityOf } from '../message/parse.ts';
import { responseTo, type ServerTransaction } from '../transaction/layer.ts';
import { giveUpMs } from '../transaction/machine.ts';
import type { Hop } from '../transport/hop.ts';
import type { Audio } from './audio.ts';
import { allowedMethods, type Context } from './context.ts';
import type { Dialog } from './dialog-state.ts';
import { acceptSeq, contactIn, requestIn, type RequestParts, type Result, send } from './dialog.ts';
import { pressedKeys } from './info-keys.ts';
import type { HangUp } from './reports.ts';
import { createSessionTimer, type SessionTimer } from './session-timer.ts';
import { createTransfers, type NewCallee } from './transfer.ts';

/** How an answered call ended. `by`: who sent the BYE; the call is over when the BYE was sent or came. */
export type TalkEnd = { by: 'them' | 'us'; hangUp: HangUp; talkedMs: number };

/** An answered call until its BYE, whichever side called. */
export type Talk = {
  dialog: Dialog;
  receive(request: Request, from: Hop, server: ServerTransaction): void;
  /** Sends BYE; does nothing once the call has ended. */
  hangUp(hangUp: HangUp): void;
  /** Asks the other side to call somebody else instead (RFC 3515). Resolves with its refusal in its words, or null. */
  transfer(callee: NewCallee): Promise<string | null>;
};

export type TalkOptions = {
  dialog: Dialog;
  audio: Audio;
  /** The INVITE's 2xx, or the INVITE that we answered: it may hold a session timer. */
  opening: Request | Response;
  /** Our 200 to the INVITE; only for a call that came in. It was sent once, and is repeated until its ACK comes. */
  answer?: { send(this: void): void; hasOffer: boolean };
  maxDurationMs: number;
  onKey: (digit: string) => void;
  /** The other side has called this phone instead; the call ends after that. */
  onTransferred: (phone: string) => void;
  /** Called once, when the BYE is sent or has come. `settled`: the other side has no dialog any more, or does not answer. */
  onEnd: (end: TalkEnd, settled: Promise<unknown>) => void;
};

const completed: HangUp = { status: 'completed', errorMessage: null };
export const failure = (errorMessage: string): HangUp => ({ status: 'failed', errorMessage });

export function createTalk(context: Context, options: TalkOptions): Talk {
  const { dialog, audio } = options;
  const startedMs = monotonicMs();
  let isOver = false;
  let isOffering = false;

  function end(by: TalkEnd['by'], how: HangUp): void {
    if (isOver) return;
    isOver = true;
    cancelDuration();
    timer.stop();
    answers.stop();
    transfers.over();
    const talkedMs = Math.round(monotonicMs() - startedMs);
    options.onEnd({ by, hangUp: how, talkedMs }, by === 'us' ? request('BYE') : Promise.resolve());
  }

  const hangUp = (reason: HangUp): void => end('us', reason);

  const request = (method: string, parts?: RequestParts): Promise<Result> =>
    send(context, dialog, requestIn(context, dialog, method, parts));

  /** Refreshes the session with an UPDATE without a description, or where that is unknown with a re-INVITE. */
  async function refresh(headers: readonly Header[]): Promise<void> {
    const usesUpdate = /\bUPDATE\b/i.test(headerLines(options.opening, 'Allow').join(','));
    if (isOffering) return;
    isOffering = true;
    const result = usesUpdate ? await request('UPDATE', { headers: [...headers, contact] }) : await reinvite(headers);
    isOffering = false;
    if (isOver) return;
    if ('failed' in result) return hangUp(failure(`The session timer ran out: ${result.failed}.`));
    const { status } = result.response;
    if (status === 408 || status === 481) return hangUp(failure(`SIP ${status} ${result.response.reason}`));
    if (status < 300) timer.answered(result.response);
    else timer.refused(result.response);
  }

  const contact: Header = ['Contact', dialog.contact];

  async function reinvite(headers: readonly Header[]): Promise<Result> {
    const invite = requestIn(context, dialog, 'INVITE', {
      headers: [...headers, contact, ['Allow', allowedMethods], ['Content-Type', 'application/sdp']],
      body: audio.offer(dialog.localHost),
    });
    const result = await send(context, dialog, invite);
    if (!('response' in result) || result.response.status >= 300) return result;
    acknowledge(context, dialog, result.response);
    dialog.target = contactIn(result.response) ?? dialog.target;
    audio.applyAnswer(result.response.body);
    return result;
  }

  const timer: SessionTimer = createSessionTimer({
    opening: options.opening,
    ownSec: context.settings.sessionExpiresSec,
    refresh: (headers) => void refresh(headers),
    expired: () => hangUp(failure('The session timer ran out: the call was not renewed.')),
  });
  const cancelDuration = after(options.maxDurationMs, () => hangUp(completed));

  const transfers = createTransfers(context, dialog, options.onTransferred);
  const answers = answering(context, options, {
    timer,
    isOffering: () => isOffering,
    onBye: () => end('them', completed),
    onFault: (errorMessage) => hangUp(failure(errorMessage)),
    onNotify: (notify) => transfers.notified(notify),
  });

  return {
    dialog,
    receive: answers.receive,
    hangUp,
    async transfer(callee) {
      const refusal = await transfers.begin(callee);
      if (refusal === null) hangUp(completed);
      return refusal;
    },
  };
}

/** The ACK of a 2xx: of its own transaction, and with the INVITE's CSeq number. */
export function acknowledge(
  context: Context,
  dialog: Dialog,
  response: Response,
  headers: readonly Header[] = [],
): void {
  const { number } = identityOf(response).cseq;
  context.transactions.sendAlone(requestIn(context, dialog, 'ACK', { seq: number, headers }), dialog.hop);
}

type Answering = {
  timer: SessionTimer;
  isOffering: () => boolean;
  onBye: () => void;
  onFault: (errorMessage: string) => void;
  onNotify: (request: Request) => void;
};

const neverAcknowledged = 'The other side never acknowledged that the call was answered.';

/** Answers requests of the other side inside the dialog. */
function answering(
  context: Context,
  options: TalkOptions,
  { timer, isOffering, onBye, onFault, onNotify }: Answering,
): Pick<Talk, 'receive'> & { stop(): void } {
  const { dialog, audio } = options;
  /** The 2xx to an INVITE is repeated until its ACK comes (RFC 3261, section 13.3.1.4). */
  let stopRepeating = options.answer ? repeating(options.answer.send, () => onFault(neverAcknowledged)) : undefined;
  /** Whether our last 2xx had an offer, which the ACK answers. */
  let awaitsAnswer = options.answer?.hasOffer ?? false;

  function answerOffer(request: Request, from: Hop, server: ServerTransaction): void {
    const reply = (status: number, reason: string, headers: readonly Header[] = [], body?: Buffer): void =>
      server.answer(responseTo(request, { status, reason, headers, from, ...(body === undefined ? {} : { body }) }));
    if (isOffering()) return reply(491, 'Request Pending');
    const renewed = timer.asked(request);
    if (renewed.tooShort) return reply(422, 'Session Interval Too Small', renewed.headers);
    dialog.target = contactIn(request) ?? dialog.target;
    const common: Header[] = [['Contact', dialog.contact], ['Allow', allowedMethods], ...renewed.headers];
    const isInvite = request.method === 'INVITE';
    if (request.body.length === 0 && !isInvite) return reply(200, 'OK', common);
    const answer =
      request.body.length === 0
        ? { body: audio.offer(dialog.localHost) } // an INVITE without an offer gets ours in the 200
        : audio.answer(request.body, dialog.localHost);
    if ('fault' in answer) {
      context.log('info', { reason: answer.fault }, 'a changed session description was refused');
      return reply(488, 'Not Acceptable Here');
    }
    const typed: Header[] = [...common, ['Content-Type', 'application/sdp']];
    reply(200, 'OK', typed, answer.body);
    if (!isInvite) return;
    awaitsAnswer = request.body.length === 0;
    stopRepeating?.();
    stopRepeating = repeating(() => reply(200, 'OK', typed, answer.body));
  }

  function onAck(body: Buffer): void {
    stopRepeating?.();
    if (!awaitsAnswer) return;
    awaitsAnswer = false;
    const fault = audio.applyAnswer(body);
    // After a re-INVITE the sound that was agreed on before goes on.
    if (fault !== null && audio.agreed === null) onFault(fault);
  }

  function receive(request: Request, from: Hop, server: ServerTransaction): void {
    const reply = (status: number, reason: string, headers: readonly Header[] = []): void =>
      server.answer(responseTo(request, { status, reason, headers, from }));
    if (request.method === 'ACK') return onAck(request.body);
    if (!acceptSeq(dialog, request)) return reply(500, 'Server Internal Error');
    switch (request.method) {
      case 'BYE':
        reply(200, 'OK');
        return onBye();
      case 'INVITE':
      case 'UPDATE':
        return answerOffer(request, from, server);
      case 'INFO': {
        const keys = pressedKeys(headerOf(request, 'Content-Type') ?? '', request.body.toString('utf8'));
        reply(200, 'OK');
        for (const key of keys) options.onKey(key);
        return;
      }
      case 'OPTIONS':
        return reply(200, 'OK', [
          ['Allow', allowedMethods],
          ['Accept', 'application/sdp'],
        ]);
      case 'NOTIFY':
        reply(200, 'OK');
        return onNotify(request);
      default:
        return reply(405, 'Method Not Allowed', [['Allow', allowedMethods]]);
    }
  }

  return { receive, stop: () => stopRepeating?.() };
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
