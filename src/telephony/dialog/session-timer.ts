import { after } from '../../base/clock.ts';
import {
  type Header,
  headerOf,
  headerValues,
  isRequest,
  type Message,
  type Request,
  type Response,
} from '../message/message.ts';

/** Session timers (RFC 4028): a call whose other side has silently gone is ended. */
export type SessionTimer = {
  /** The other side's request, which we accepted: it renews the session. */
  renewedBy(request: Request): void;
  /** The 2xx to our renewal. */
  answered(response: Response): void;
  /**
   * The refusal of our renewal. A 422 wants a longer session, which is asked for at once; any other, such as a 491 because both sides asked
   * at once, is tried again until the session ends.
   */
  refused(response: Response): void;
  stop(): void;
};

export type SessionTimerOptions = {
  /** The INVITE's 2xx, or the INVITE that we answered. */
  opening: Message;
  /** `sip.session_expires_sec`, for callers that ask for no session timer; 0: none then. */
  ownSec: number;
  /** Sends a request with these headers that renews the session. */
  refresh: (headers: readonly Header[]) => void;
  expired: () => void;
};

type Agreement = { seconds: number; refresher: 'us' | 'them' };

/** The headers about the session timer in our answer to a request: a 422 if the session would be too short for us, else a 2xx. */
export type SessionAnswer = { tooShort: boolean; headers: Header[] };

/** Between 2.1 and 4 s, as after a 491 (RFC 3261, section 14.1), so that two sides that asked at once do not do so again. */
const retryMs = (): number => 2100 + Math.random() * 1900;

/** Shorter sessions would be renewed all the time (RFC 4028, section 5). */
const minSeconds = 90;

/** A day: a longer minimum of the other side (`Min-SE`) is not followed. */
const maxSeconds = 86_400;

export function createSessionTimer({ opening, ownSec, refresh, expired }: SessionTimerOptions): SessionTimer {
  let cancel: () => void = () => undefined;
  let agreed: Agreement | undefined;
  /** The shortest session that the other side accepts, as far as it has said so. */
  let theirMinSeconds = minSeconds;
  /** How often the renewal may be tried again: until the session would end. */
  let retries = 0;

  const renew = (): void =>
    refresh([
      ['Supported', 'timer'],
      ['Session-Expires', `${Math.max(agreed!.seconds, theirMinSeconds)};refresher=uac`],
      ['Min-SE', String(theirMinSeconds)],
    ]);

  function arm(agreement: Agreement | undefined): void {
    cancel();
    agreed = agreement;
    if (agreement === undefined) return;
    const { seconds, refresher } = agreement;
    retries = Math.floor((seconds * 500) / 4000) - 1;
    // The refresher renews at half the time; the other side gives up shortly before the end (RFC 4028, section 10).
    cancel =
      refresher === 'us' ? after(seconds * 500, renew) : after((seconds - Math.min(32, seconds / 3)) * 1000, expired);
  }

  arm(isRequest(opening) ? agreementFor(opening, ownSec) : agreementIn(opening));
  return {
    renewedBy: (request) => arm(agreementFor(request, ownSec)),
    answered: (response) => arm(agreementIn(response)),
    refused(response) {
      cancel();
      if (retries <= 0) return expired();
      retries -= 1;
      const wanted = response.status === 422 ? minSessionOf(response) : 0;
      if (wanted > theirMinSeconds && wanted <= maxSeconds) {
        theirMinSeconds = wanted;
        return renew();
      }
      cancel = after(retryMs(), renew);
    },
    stop: () => cancel(),
  };
}

const minSessionOf = (message: Message): number =>
  Number(/^\s*(\d{1,6})/.exec(headerOf(message, 'Min-SE') ?? '')?.[1] ?? 0);

const knowsTimers = (request: Request): boolean =>
  [...headerValues(request, 'Supported'), ...headerValues(request, 'Require')].some(
    (extension) => extension.toLowerCase() === 'timer',
  );

type Expires = { seconds: number; refresher: 'uac' | 'uas' | undefined };

function expiresIn(message: Message): Expires | undefined {
  const [, digits, rest = ''] = /^\s*(\d{1,9})\s*(;.*)?$/.exec(headerOf(message, 'Session-Expires') ?? '') ?? [];
  if (digits === undefined) return undefined;
  const refresher = /;\s*refresher\s*=\s*(uac|uas)\b/i.exec(rest)?.[1]?.toLowerCase() as Expires['refresher'];
  return { seconds: Number(digits), refresher };
}

/** The session timer in the other side's answer to our request. In such an answer `uac` means us. */
function agreementIn(response: Message): Agreement | undefined {
  const expires = expiresIn(response);
  if (expires === undefined) return undefined;
  return { seconds: Math.max(expires.seconds, minSeconds), refresher: expires.refresher === 'uas' ? 'them' : 'us' };
}

/**
 * The session timer in our answer to a request. If the caller asks for none, perhaps because it does not know session timers, we set one of
 * `ownSec` seconds and renew it ourselves.
 */
function agreementFor(request: Request, ownSec: number): Agreement | undefined {
  const expires = expiresIn(request);
  if (expires !== undefined && expires.seconds >= minSeconds) {
    const isTheirs = knowsTimers(request) && expires.refresher !== 'uas';
    return { seconds: expires.seconds, refresher: isTheirs ? 'them' : 'us' };
  }
  if (ownSec === 0) return undefined;
  return { seconds: Math.max(ownSec, minSeconds, Math.min(minSessionOf(request), maxSeconds)), refresher: 'us' };
}

/** Our answer to a request (RFC 4028). Only a caller that knows session timers is refused with 422, because others would not understand it. */
export function answerTo(request: Request, ownSec: number): SessionAnswer {
  const expires = expiresIn(request);
  if (expires !== undefined && expires.seconds < minSeconds && knowsTimers(request)) {
    return { tooShort: true, headers: [['Min-SE', String(minSeconds)]] };
  }
  const agreement = agreementFor(request, ownSec);
  if (agreement === undefined) return { tooShort: false, headers: [] };
  const refresher = agreement.refresher === 'us' ? 'uas' : 'uac';
  const headers: Header[] = [
    ['Supported', 'timer'],
    ...(knowsTimers(request) ? [['Require', 'timer'] as const] : []),
    ['Session-Expires', `${agreement.seconds};refresher=${refresher}`],
  ];
  return { tooShort: false, headers };
}
