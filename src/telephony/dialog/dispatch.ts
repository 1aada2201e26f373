import { isRequest, type Message, type Request, type Response } from '../message/message.ts';
import { identityOf } from '../message/parse.ts';
import { responseTo, type ServerTransaction } from '../transaction/layer.ts';
import type { Hop } from '../transport/hop.ts';
import type { Context } from './context.ts';
import type { Drops } from './drops.ts';
import type { IncomingCalls } from './incoming-calls.ts';
import type { LiveCall } from './live-call.ts';
import { acknowledgeRefusal, refuseLate } from './previous-process.ts';
import type { Tokens } from './tokens.ts';

/** The call whose dialog a message of the other side names. In a request, the To-tag is ours; in an answer, the From-tag. */
export function callNamedIn(message: Message, tokens: Tokens): string | undefined {
  const { callId, fromTag, toTag } = identityOf(message);
  if (!isRequest(message)) return tokens.callOf(callId, fromTag);
  return tokens.callOf(callId, toTag) ?? tokens.incomingCallOf(callId, toTag);
}

export type DispatchParts = {
  live: ReadonlyMap<string, LiveCall>;
  incoming: IncomingCalls;
  drops: Drops;
  context: () => Context;
};

/** Hands the messages that belong to no transaction to their calls. */
export function createDispatch({ live, incoming, drops, context }: DispatchParts) {
  return {
    onRequest(this: void, request: Request, from: Hop, server: ServerTransaction): void {
      const id = callNamedIn(request, context().tokens);
      if (id === undefined) return incoming.onRequest(request, from, server);
      const talk = live.get(id)?.talk;
      if (talk) return talk.receive(request, from, server);
      if (request.method === 'ACK') return;
      server.answer(responseTo(request, { status: 481, reason: 'Call/Transaction Does Not Exist', from }));
    },
    onStray(this: void, response: Response, from: Hop): void {
      const { cseq } = identityOf(response);
      const id = callNamedIn(response, context().tokens);
      if (id === undefined) return drops.add(`response ${response.status}`, 'unknown', from);
      if (cseq.method !== 'INVITE' || response.status < 200) return;
      if (response.status >= 300) return acknowledgeRefusal(context(), response, from);
      const call = live.get(id);
      if (call) call.onStray?.(response);
      else void refuseLate(context(), id, response, from);
    },
  };
}
