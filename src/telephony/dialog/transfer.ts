import { after } from '../../base/clock.ts';
import { type Header, headerOf, type Request } from '../message/message.ts';
import type { Context } from './context.ts';
import type { Dialog } from './dialog-state.ts';
import { requestIn, send } from './dialog.ts';

/** The party that the other side calls instead: as a URI for that side, and as a phone number for users. */
export type NewCallee = { uri: string; phone: string };

/** Handing a call on by REFER (RFC 3515). */
export type Transfers = {
  /** Asks the other side to call somebody else instead. Resolves with its refusal in its words, or with null when it has done so. */
  begin(callee: NewCallee): Promise<string | null>;
  /** A NOTIFY of the other side: how far it is. */
  notified(this: void, request: Request): void;
  /** The call has ended. */
  over(): void;
};

/** How long the other side may take to reach the new callee: longer than telephones ring. */
const decisionMs = 60_000;

/** `onDone` is called at once, before the call ends, so that its events stay in order. */
export function createTransfers(context: Context, dialog: Dialog, onDone: (phone: string) => void): Transfers {
  let pending: { decide(refusal: string | null): void } | undefined;
  let isAccepted = false;

  /** Returns the refusal, null when the other side says nothing more of a transfer that it accepts, or undefined when it will. */
  async function refer(uri: string): Promise<string | null | undefined> {
    const headers: Header[] = [
      ['Refer-To', `<${uri}>`],
      ['Referred-By', dialog.local.replace(/;.*$/, '')],
      ['Contact', dialog.contact],
    ];
    const result = await send(context, dialog, requestIn(context, dialog, 'REFER', { headers }));
    if ('failed' in result) return result.failed;
    const { status, reason } = result.response;
    if (status >= 300) return `SIP ${status} ${reason}`;
    return /^\s*false\b/i.test(headerOf(result.response, 'Refer-Sub') ?? '') ? null : undefined; // RFC 4488
  }

  return {
    async begin({ uri, phone }) {
      if (pending) return 'A transfer of this call is already under way.';
      const decision = Promise.withResolvers<string | null>();
      const decide = (refusal: string | null): void => {
        if (pending?.decide !== decide) return;
        pending = undefined;
        if (refusal === null) onDone(phone);
        decision.resolve(refusal);
      };
      pending = { decide };
      isAccepted = false;
      const undecided = `The other side did not say within ${decisionMs / 1000} s whether it transferred the call.`;
      const cancel = after(decisionMs, () => decide(undecided));
      void refer(uri).then((answer) => (answer === undefined ? (isAccepted = true) : decide(answer)), decision.reject);
      try {
        return await decision.promise;
      } finally {
        cancel();
        if (pending?.decide === decide) pending = undefined;
      }
    },
    notified(request) {
      const decided = decisionIn(request);
      if (decided !== undefined) pending?.decide(decided);
    },
    // Some trunks hang up as soon as they have taken the transfer over, instead of saying how it went.
    over: () => pending?.decide(isAccepted ? null : 'The call ended during the transfer.'),
  };
}

/** The refusal, null for success, undefined when there is no decision yet. The body is the start of the answer that the new callee gave. */
function decisionIn(request: Request): string | null | undefined {
  const [, status, reason = ''] = /^SIP\/2\.0 (\d{3})[ \t]*([^\r\n]*)/i.exec(request.body.toString('utf8')) ?? [];
  if (status !== undefined && Number(status) >= 200) {
    return Number(status) < 300 ? null : `SIP ${status} ${reason}`.trimEnd().slice(0, 200);
  }
  const isTerminated = /^\s*terminated\b/i.test(headerOf(request, 'Subscription-State') ?? '');
  return isTerminated ? 'The other side gave the transfer up without saying why.' : undefined;
}
