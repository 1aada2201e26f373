import type { Tx } from '../../../db/transaction.ts';
import type { App } from '../../../kernel/app.ts';
import type { SpeechFacts } from '../../../telephony/audio/speech.ts';
import type { SipFacts, Withdrawal } from '../../../telephony/dialog/reports.ts';
import type { HandOverFailure } from '../../numbers/carrier-reach.ts';
import type { PhoneNumber } from '../../numbers/number.ts';
import type { Call, CallOutcome } from '../call.ts';

/** Whether a call's trunk has answered anything. If not, it certainly does not have the call. */
export type Reach = { reached: true } | ({ reached: false; sip: SipFacts } & HandOverFailure);

export type DialAnswer =
  | {
      accepted: true;
      /**
       * For a driver that learns only after accepting a call whether the trunk can be reached. Until the promise resolves, a pause of the
       * caller number continues; if the trunk was not reached, the call is withdrawn. Null: the call was taken back before that was known.
       * Without `reach`, accepting the call shows that the carrier can be reached.
       */
      reach?: Promise<Reach | null>;
      /** Stores what the driver needs later, in the transaction that records the acceptance. */
      remember?(app: App, tx: Tx): Promise<void>;
    }
  | {
      /** The carrier answered, and does not call this number. */
      accepted: false;
      reason: string;
      invalidNumber?: boolean;
    }
  | ({
      accepted: false;
      /**
       * The carrier was not reached, or takes no calls at the moment: it certainly does not have the call, and the reason is not the called
       * number. If nothing was there, or this happens too often, all calls from the same caller number wait until the carrier is in reach
       * again (numbers/carrier-pause.ts). The reason is shown to users, as a sentence.
       */
      outOfReach: true;
    } & HandOverFailure);

/** Figures of a live call as they are at this moment. */
export type LiveFacts = { sip?: SipFacts; speech?: SpeechFacts };

/** Whether the carrier did what was wanted in a live call; if not, a sentence says why. */
export type Controlled = { done: true } | { done: false; reason: string };

/** Actions in an answered call. */
export type LiveControl = {
  sendDigits(app: App, call: Call, digits: string): Promise<Controlled>;
  say(app: App, call: Call, text: string): Promise<Controlled>;
  /** Resolves when the other side has decided. The carrier writes a transfer that was made into the timeline, before the end of the call. */
  transfer(app: App, call: Call, to: string): Promise<Controlled>;
};

/** The answer of a trunk to OPTIONS. `reachable`: it answered at all. */
export type TrunkCheck = {
  reachable: boolean;
  statusCode: number | null;
  transport: 'udp' | 'tcp' | 'tls' | null;
  /** Where the request went, with its port. */
  address: string | null;
  durationMs: number;
  detail: string | null;
};

/**
 * Places calls (docs/api/calls.md, "Carriers"). A driver never dials again by itself: parley decides before each `dial` whether the call
 * may still be made (calls/last-look.ts), and calls `dial` again only after `outOfReach`. If `dial` throws, or the process dies before its
 * answer is recorded, `knows` is called instead, so that nobody is dialed twice. The driver reports the progress and end of its calls with
 * the functions of `calls/service.ts`.
 */
export type Carrier = {
  /** How long each of these functions may take, in real milliseconds. */
  maxRequestMs: number;
  /** The most calls that may be live at once, and the setting that says so; no limit without it. */
  maxCalls?: { calls: number; setting: string };
  /** @throws when it is unknown whether the carrier took the call (time-out, broken connection, an answer that makes no sense) */
  dial(app: App, call: Call): Promise<DialAnswer>;
  /**
   * Whether the carrier has, or had, the call. The driver may forget a call only once its end is reported, or the call is dialed twice.
   * @throws when the carrier cannot be reached, or does not answer the question
   */
  knows(app: App, callId: string): Promise<boolean>;
  /**
   * Does nothing for a call that has ended or that the carrier does not know.
   * @throws when the carrier cannot be reached, or may not have hung up
   */
  hangUp(app: App, call: Call): Promise<void>;
  /**
   * Takes back those of the calls that have not rung. Resolves when nothing that could ring leaves any more; the driver then reports each
   * call with `takeBack` (withdrawal.ts), or its end if it rang all the same. For carriers that send more than once until a call rings.
   * @throws when the carrier could not be told
   */
  withdraw?(this: void, withdrawals: readonly Withdrawal[]): Promise<void>;
  /**
   * The conversation so far of an answered call, for whoever watches it and when parley hangs it up. Only a driver that reports nothing before the end of a call
   * needs it; transcript entries that were reported during the call are stored already.
   */
  conversationSoFar?(this: void, app: App, call: Call): Promise<Partial<CallOutcome>>;
  /** The cost of an answered call of this length. For carriers that do not report one themselves. */
  costOf?(this: void, tx: Tx, call: Call, durationSec: number): Promise<number>;
  /** The present figures of live calls, by call id. Calls that the carrier does not have are left out. */
  liveFacts?(this: void, callIds: readonly string[]): Promise<ReadonlyMap<string, LiveFacts>>;
  /** For carriers that can do something in a call that is answered. */
  control?: LiveControl;
  /** Asks the trunk of a number, which has a termination URI; answers within 5 s. For carriers with trunks. */
  check?(this: void, app: App, number: PhoneNumber): Promise<TrunkCheck>;
};
