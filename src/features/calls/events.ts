import { domainEvent } from '../../kernel/events.ts';
import type { Call } from './call.ts';

/** A call has ended. Emitted in the transaction that ends it; `call.status` and `call.endedAt` are set. */
export const callEnded = domainEvent<{ call: Call; invalidNumber: boolean }>('call.ended');
