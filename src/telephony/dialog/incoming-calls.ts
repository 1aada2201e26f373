import type { Request } from '../message/message.ts';
import { identityOf } from '../message/parse.ts';
import { responseTo, type ServerTransaction } from '../transaction/layer.ts';
import type { Hop } from '../transport/hop.ts';
import type { Calls } from './calls.ts';
import type { Context } from './context.ts';
import type { Drops } from './drops.ts';
import { capabilities } from './capabilities.ts';
import { inviteKey } from './incoming-invite.ts';
import { IncomingCall } from './incoming.ts';
import type { Sources } from './sources.ts';

/** Requests that begin a call, those that take one back, and OPTIONS, by which a telephone system learns that parley is there. */
export type IncomingCalls = {
  /** Whether the request is taken at all; unknown sources get no answer. Counts what is dropped. */
  admits(request: Request, from: Hop): boolean;
  onRequest(request: Request, from: Hop, server: ServerTransaction): void;
};

/** Methods of requests that need no dialog. */
const beginnings = new Set(['INVITE', 'OPTIONS']);

export function createIncomingCalls(
  sources: Sources,
  drops: Drops,
  parts: () => { context: Context; calls: Calls },
): IncomingCalls {
  /** From the INVITE to the end of the call. */
  const invited = new Map<string, IncomingCall>();

  function begin(request: Request, from: Hop, server: ServerTransaction): void {
    const { context, calls } = parts();
    const key = inviteKey(request);
    const call = new IncomingCall(
      context,
      { request, from, server },
      {
        accepted: (callId, live) => calls.add(callId, live),
        over(callId) {
          invited.delete(key);
          if (callId !== undefined) calls.forget(callId);
        },
      },
    );
    invited.set(key, call);
    void call.begin();
  }

  return {
    admits(request, from) {
      const isNew = beginnings.has(request.method) && identityOf(request).toTag === undefined;
      if (!isNew) {
        const isKnown = request.method === 'CANCEL' && invited.has(inviteKey(request));
        if (!isKnown) drops.add(request.method, 'unknown', from);
        return isKnown;
      }
      const taken = sources.admit(from.address);
      if (taken !== 'taken') drops.add(request.method, taken, from);
      return taken === 'taken';
    },
    onRequest(request, from, server) {
      const reply = (status: number, reason: string): void =>
        server.answer(responseTo(request, { status, reason, from, toTag: 'refused' }));
      if (request.method === 'OPTIONS') return server.answer(capabilities(request, from));
      const known = invited.get(inviteKey(request));
      if (request.method === 'CANCEL') {
        reply(200, 'OK');
        return known?.cancel();
      }
      // The same call by another way (RFC 3261, section 8.2.2.2).
      if (known) return reply(482, 'Loop Detected');
      begin(request, from, server);
    },
  };
}
