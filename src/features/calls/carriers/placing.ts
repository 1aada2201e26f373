import type { App } from '../../../kernel/app.ts';
import type { Call, CallOutcome } from '../call.ts';
import type { Carrier } from './carrier.ts';

/** The carrier of each running server, for services, which are not bound to a carrier as jobs are. */
const carriers = new WeakMap<App, Carrier>();

export const placesCallsOf = (app: App, carrier: Carrier): void => void carriers.set(app, carrier);

/** What the carrier knows of the conversation of a live call, which parley is about to hang up. */
export const conversationSoFar = (app: App, call: Call): Partial<CallOutcome> =>
  carriers.get(app)?.conversationSoFar?.(app, call) ?? {};
