import type { Tx } from '../../../db/transaction.ts';
import type { App } from '../../../kernel/app.ts';
import type { Call } from '../call.ts';

export type DialAnswer =
  | {
      accepted: true;
      /** What the driver has to remember of the call, in the transaction that records its acceptance. */
      remember?(app: App, tx: Tx): Promise<void>;
    }
  | { accepted: false; reason: string; invalidNumber?: boolean };

/**
 * What places calls (contract, section 7). A driver is told to dial once per call id; if the process dies before the answer is
 * recorded, it is asked whether it knows the call instead. It reports what happens through `calls/service.ts`.
 */
export type Carrier = {
  driver: 'simulated' | 'http';
  /** No telephone rings anywhere. */
  simulated: boolean;
  /** @throws when the carrier cannot be reached or answers nonsense; the call's fate is then unknown */
  dial(app: App, call: Call, signal: AbortSignal): Promise<DialAnswer>;
  /** Whether the carrier has been told of the call. */
  knows(app: App, callId: string, signal: AbortSignal): Promise<boolean>;
  hangUp(app: App, call: Call, signal: AbortSignal): Promise<void>;
};
