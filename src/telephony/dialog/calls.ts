import { after } from '../../base/clock.ts';
import type { HangUp } from '../audio/speech.ts';
import type { Context } from './context.ts';
import type { LiveCall } from './live-call.ts';
import { OutgoingCall } from './outgoing.ts';
import type { DialRequest, SipFacts, Withdrawal } from './reports.ts';
import { failure } from './talk.ts';
import type { NewCallee } from './transfer.ts';

/** The live calls, and what may be done with each. Nothing happens for a call that is not live. */
export type Calls = {
  dial(request: DialRequest): void;
  /** A call that came in. */
  add(callId: string, call: LiveCall): void;
  /** The call has ended. */
  forget(callId: string): void;
  has(callId: string): boolean;
  /** Leaves out calls that are not live. */
  facts(callIds: readonly string[]): Map<string, SipFacts>;
  hangUp(callId: string, hangUp: HangUp): void;
  /** Takes back those of the calls that have not rung: on return no INVITE of theirs leaves any more. */
  withdraw(withdrawals: readonly Withdrawal[]): void;
  /** Whether the keys are on their way. */
  sendKeys(callId: string, digits: string): boolean;
  /** Whether the agent says the text next. */
  say(callId: string, text: string): boolean;
  /** Null when the other side agreed; else its refusal in its words. */
  transfer(callId: string, callee: NewCallee): Promise<string | null>;
  /** Ends every call: CANCEL at once, BYE when `graceMs` are over. Resolves when all have ended. */
  stop(graceMs: number): Promise<void>;
};

const stopping = failure('The server was stopped.');

export function createCalls(context: Context, live: Map<string, LiveCall>): Calls {
  let allEnded: () => void = () => undefined;
  function forget(callId: string): void {
    live.delete(callId);
    if (live.size === 0) allEnded();
  }
  return {
    add: (callId, call) => live.set(callId, call),
    forget,
    dial(request) {
      const call = new OutgoingCall(context, request, () => forget(request.id));
      live.set(request.id, call);
      void call.begin();
    },
    has: (callId) => live.has(callId),
    facts(callIds) {
      const found = new Map<string, SipFacts>();
      for (const callId of callIds) {
        const call = live.get(callId);
        if (call) found.set(callId, call.facts());
      }
      return found;
    },
    hangUp: (callId, hangUp) => live.get(callId)?.hangUp(hangUp),
    withdraw(withdrawals) {
      for (const { callId, reason } of withdrawals) live.get(callId)?.withdraw?.(reason);
    },
    sendKeys: (callId, digits) => live.get(callId)?.audio?.session.sendKeys(digits) ?? false,
    say: (callId, text) => live.get(callId)?.talk !== undefined && context.speech.open(callId).say(text),
    async transfer(callId, callee) {
      const talk = live.get(callId)?.talk;
      return talk ? talk.transfer(callee) : 'The call is not in progress.';
    },
    async stop(graceMs) {
      const ended = new Promise<void>((resolve) => (allEnded = resolve));
      for (const call of live.values()) if (!call.talk) call.hangUp(stopping);
      const cancel = after(graceMs, () => {
        for (const call of live.values()) call.hangUp(stopping);
      });
      if (live.size > 0) await ended;
      cancel();
    },
  };
}
