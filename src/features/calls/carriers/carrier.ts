import type { Tx } from '../../../db/transaction.ts';
import type { App } from '../../../kernel/app.ts';
import type { Call, CallOutcome } from '../call.ts';

export type DialAnswer =
  | {
      accepted: true;
      /** Stores what the driver needs later, in the transaction that records the acceptance. */
      remember?(app: App, tx: Tx): Promise<void>;
    }
  | {
      /** The carrier answered, and does not call this number. */
      accepted: false;
      reason: string;
      invalidNumber?: boolean;
    }
  | {
      accepted: false;
      /**
       * The carrier was not reached, or takes no calls at the moment: it certainly does not have the call, and the called number has
       * nothing to do with it. The calls of parley's number then wait until the carrier is in reach (numbers/carrier-pause.ts).
       */
      outOfReach: true;
      /** Shown to users, as a sentence. */
      reason: string;
    };

/**
 * Places calls (contract, section 7). A driver never dials again by itself: parley decides before each `dial` whether the call may still
 * be made (calls/last-look.ts), and calls `dial` again only after `outOfReach`. If `dial` throws, or the process dies before its answer is
 * recorded, `knows` is called instead, so that nobody is dialed twice. The driver reports progress and end of its calls through
 * `calls/service.ts`.
 */
export type Carrier = {
  /** How long each of these functions may take, in real milliseconds. */
  maxRequestMs: number;
  /** @throws when the carrier is out of reach, but may have taken the call all the same (time-out, connection cut off) */
  dial(app: App, call: Call): Promise<DialAnswer>;
  /**
   * Whether the carrier has, or had, the call.
   * @throws when it cannot be asked
   */
  knows(app: App, callId: string): Promise<boolean>;
  /** Does nothing for a call that has ended or that the carrier does not know. */
  hangUp(app: App, call: Call): Promise<void>;
  /**
   * What is known of the conversation when parley hangs up an answered call. Only for a driver that would otherwise report it at the end;
   * reported transcript entries are kept in any case.
   */
  conversationSoFar?(app: App, call: Call): Partial<CallOutcome>;
};
