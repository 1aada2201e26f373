import type { Tx } from '../../../db/transaction.ts';
import type { App } from '../../../kernel/app.ts';
import type { Call } from '../call.ts';

export type DialAnswer =
  | {
      accepted: true;
      /** What the driver has to remember of the call, in the transaction that records its acceptance. */
      remember?(app: App, tx: Tx): Promise<void>;
    }
  | {
      accepted: false;
      reason: string;
      invalidNumber?: boolean;
      /** The carrier certainly has not taken the call, and may take it in a moment: it was not reached, or was busy. */
      dialAgain?: boolean;
    };

/**
 * What places calls (contract, section 7). A driver is told to dial once per call id, again only after it answered `dialAgain`; if
 * the process dies before the answer is recorded, or dialing throws, it is asked whether it knows the call instead. It reports what
 * happens through `calls/service.ts`.
 */
export type Carrier = {
  /** Real milliseconds that any one of the following may take. */
  maxRequestMs: number;
  /** @throws when it cannot be told what became of the call */
  dial(app: App, call: Call, signal: AbortSignal): Promise<DialAnswer>;
  /** Whether the carrier has been told of the call. */
  knows(app: App, callId: string, signal: AbortSignal): Promise<boolean>;
  /** Harmless for a call that has ended, or that the carrier never heard of. */
  hangUp(app: App, call: Call, signal: AbortSignal): Promise<void>;
};
