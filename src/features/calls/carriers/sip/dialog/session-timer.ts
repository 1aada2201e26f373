import { after } from '../../../../../base/clock.ts';
import { type Header, headerOf, isRequest, type Message, type Request, type Response } from '../message/message.ts';

/** Session timers (RFC 4028): a call whose other side has silently gone is ended. */
export type SessionTimer = {
  /** The other side renewed the session; returns the headers of our 2xx. */
  asked(request: Request): Header[];
  /** The 2xx to our renewal. */
  answered(response: Response): void;
  /** The refusal of our renewal, such as a 491 because both sides asked at once: it is tried again until the session ends. */
  refused(): void;
  stop(): void;
};

export type SessionTimerOptions = {
  /** The INVITE's 2xx, or the INVITE that we answered. */
  opening: Message;
  /** Sends a request with these headers that renews the session. */
  refresh: (headers: readonly Header[]) => void;
  expired: () => void;
};

type Agreement = { seconds: number; refresher: 'us' | 'them' };

/** Between 2.1 and 4 s, as after a 491 (RFC 3261, section 14.1), so that two sides that asked at once do not do so again. */
const retryMs = (): number => 2100 + Math.random() * 1900;

/** Shorter sessions would be renewed all the time (RFC 4028, section 5). */
const minSeconds = 90;

export function createSessionTimer({ opening, refresh, expired }: SessionTimerOptions): SessionTimer {
  let cancel: () => void = () => undefined;
  /** How often the renewal may be tried again: until the session would end. */
  let retries = 0;
  let renew: () => void = () => undefined;

  function arm(agreement: Agreement | undefined): void {
    cancel();
    if (agreement === undefined) return;
    const { seconds, refresher } = agreement;
    retries = Math.floor((seconds * 500) / 4000) - 1;
    const headers: Header[] = [
      ['Supported', 'timer'],
      ['Session-Expires', `${seconds};refresher=${refresher === 'us' ? 'uac' : 'uas'}`],
    ];
    renew = () => refresh(headers);
    // The refresher renews at half the time; the other side gives up shortly before the end (RFC 4028, section 10).
    cancel =
      refresher === 'us' ? after(seconds * 500, renew) : after((seconds - Math.min(32, seconds / 3)) * 1000, expired);
  }

  arm(agreementIn(opening, !isRequest(opening)));
  return {
    asked(request) {
      arm(agreementIn(request, false));
      return renewalHeaders(request);
    },
    answered: (response) => arm(agreementIn(response, true)),
    refused() {
      cancel();
      if (retries <= 0) return expired();
      retries -= 1;
      cancel = after(retryMs(), renew);
    },
    stop: () => cancel(),
  };
}

/** The headers that agree to a request's session timer in its 2xx; none if the request has no session timer. */
export function renewalHeaders(request: Request): Header[] {
  const agreement = agreementIn(request, false);
  if (agreement === undefined) return [];
  const refresher = agreement.refresher === 'us' ? 'uas' : 'uac';
  return [
    ['Supported', 'timer'],
    ['Require', 'timer'],
    ['Session-Expires', `${agreement.seconds};refresher=${refresher}`],
  ];
}

/** `isOurRequest`: the message is the answer to a request of ours, so that we are its `uac`. */
function agreementIn(message: Message, isOurRequest: boolean): Agreement | undefined {
  const [, digits, rest = ''] = /^\s*(\d{1,9})\s*(;.*)?$/.exec(headerOf(message, 'Session-Expires') ?? '') ?? [];
  if (digits === undefined) return undefined;
  const uac = !/;\s*refresher\s*=\s*uas/i.test(rest);
  return { seconds: Math.max(Number(digits), minSeconds), refresher: uac === isOurRequest ? 'us' : 'them' };
}
