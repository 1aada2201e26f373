import type { Tx } from '../../../db/transaction.ts';
import type { App } from '../../../kernel/app.ts';
import type { Call } from '../call.ts';

export type DialAnswer =
  | {
      accepted: true;
      /** Stores what the driver needs later, in the transaction that records the acceptance. */
      remember?(app: App, tx: Tx): Promise<void>;
    }
  | {
      accepted: false;
      reason: string;
      invalidNumber?: boolean;
      /** The carrier was not reached or is busy: it certainly does not have the call, and may take it in a moment. */
      dialAgain?: boolean;
    };

/**
 * Places calls (contract, section 7). `dial` is called once per call, and again only after `dialAgain`. If it throws, or the process dies
 * before its answer is recorded, `knows` is called instead, so that nobody is dialed twice. The driver reports progress and end of its
 * calls through `calls/service.ts`.
 */
export type Carrier = {
  /** How long each of these functions may take, in real milliseconds. */
  maxRequestMs: number;
  /** @throws when it is unknown whether the carrier has the call */
  dial(app: App, call: Call, signal: AbortSignal): Promise<DialAnswer>;
  /** Whether the carrier has, or had, the call. */
  knows(app: App, callId: string, signal: AbortSignal): Promise<boolean>;
  /** Does nothing for a call that has ended or that the carrier does not know. */
  hangUp(app: App, call: Call, signal: AbortSignal): Promise<void>;
};
