import { after, monotonicMs } from '../../base/clock.ts';
import type { HangUp } from '../audio/speech.ts';
import { type Header, headerLines, type Request, type Response } from '../message/message.ts';
import { identityOf } from '../message/parse.ts';
import type { ServerTransaction } from '../transaction/layer.ts';
import type { Hop } from '../transport/hop.ts';
import type { Audio } from './audio.ts';
import { allowedMethods, type Context } from './context.ts';
import { withAddresses } from './description-hosts.ts';
import type { Dialog } from './dialog-state.ts';
import { contactIn, requestIn, type Result, send } from './dialog.ts';
import { receiving } from './receiving.ts';
import { createRemoteOffers, type FirstAnswer } from './remote-offers.ts';
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
  /** Only for a call that came in. */
  answer?: FirstAnswer;
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

  function end(by: TalkEnd['by'], how: HangUp): void {
    if (isOver) return;
    isOver = true;
    cancelDuration();
    timer.stop();
    remoteOffers.stop();
    transfers.over();
    const talkedMs = Math.round(monotonicMs() - startedMs);
    const bye = by === 'us' ? send(context, dialog, requestIn(context, dialog, 'BYE')) : Promise.resolve();
    options.onEnd({ by, hangUp: how, talkedMs }, bye);
  }

  const hangUp = (reason: HangUp): void => end('us', reason);

  async function refresh(headers: readonly Header[]): Promise<void> {
    const result = await ownOffers.refresh(headers);
    if (isOver || result === undefined) return;
    if ('failed' in result) return hangUp(failure(`The session timer ran out: ${result.failed}.`));
    const { status } = result.response;
    if (status === 408 || status === 481) return hangUp(failure(`SIP ${status} ${result.response.reason}`));
    if (status < 300) timer.answered(result.response);
    else timer.refused(result.response);
  }

  const timer: SessionTimer = createSessionTimer({
    opening: options.opening,
    ownSec: context.settings.sessionExpiresSec,
    refresh: (headers) => void refresh(headers),
    expired: () => hangUp(failure('The session timer ran out: the call was not renewed.')),
  });
  const cancelDuration = after(options.maxDurationMs, () => hangUp(completed));

  const transfers = createTransfers(context, dialog, options.onTransferred);
  const ownOffers = createOwnOffers(context, options);
  const remoteOffers = createRemoteOffers(context, {
    dialog,
    audio,
    timer,
    firstAnswer: options.answer,
    isOffering: ownOffers.isWaiting,
    onFault: (errorMessage) => hangUp(failure(errorMessage)),
  });

  return {
    dialog,
    receive: receiving(dialog, {
      onAck: (body) => void remoteOffers.onAck(body),
      onBye: () => end('them', completed),
      onOffer: (request, from, server) => void remoteOffers.answer(request, from, server),
      onKey: options.onKey,
      onNotify: transfers.notified,
    }),
    hangUp,
    async transfer(callee) {
      const refusal = await transfers.begin(callee);
      if (refusal === null) hangUp(completed);
      return refusal;
    },
  };
}

/** Offers of ours in an answered call, which refresh the session. */
function createOwnOffers(context: Context, { dialog, audio, opening }: TalkOptions) {
  const contact: Header = ['Contact', dialog.contact];
  let isWaiting = false;

  const update = (headers: readonly Header[]): Promise<Result> =>
    send(context, dialog, requestIn(context, dialog, 'UPDATE', { headers: [...headers, contact] }));

  async function reinvite(headers: readonly Header[]): Promise<Result> {
    const invite = requestIn(context, dialog, 'INVITE', {
      headers: [...headers, contact, ['Allow', allowedMethods], ['Content-Type', 'application/sdp']],
      body: audio.offer(dialog.localHost),
    });
    const result = await send(context, dialog, invite);
    if (!('response' in result) || result.response.status >= 300) return result;
    acknowledge(context, dialog, result.response);
    dialog.target = contactIn(result.response) ?? dialog.target;
    audio.applyAnswer(await withAddresses(context, result.response.body));
    return result;
  }

  return {
    isWaiting: () => isWaiting,
    /** With an UPDATE without a description, or where that is unknown with a re-INVITE; undefined while one is under way. */
    async refresh(headers: readonly Header[]): Promise<Result | undefined> {
      if (isWaiting) return undefined;
      isWaiting = true;
      const knowsUpdate = /\bUPDATE\b/i.test(headerLines(opening, 'Allow').join(','));
      const result = await (knowsUpdate ? update(headers) : reinvite(headers));
      isWaiting = false;
      return result;
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
