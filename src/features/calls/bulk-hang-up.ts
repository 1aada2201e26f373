import { transact, type Tx } from '../../db/transaction.ts';
import type { App } from '../../kernel/app.ts';
import type { Call } from './call.ts';
import { hangUpLive } from './service.ts';
import * as store from './store.ts';

/** Calls that are looked at in one transaction: ending one takes up to a millisecond. */
const batchSize = 20;

/**
 * Goes through the calls of an organization that are live now, in small transactions, and lets `act` decide about each. Returns for how
 * many it did something.
 */
export async function forEachLive(
  app: App,
  orgId: string,
  act: (tx: Tx, call: Call) => Promise<boolean>,
): Promise<number> {
  let [after, done] = ['', 0];
  for (;;) {
    const { calls, acted } = await transact(app.db, orgId, async (tx) => {
      const batch = { calls: await store.wholeLiveCallsAfter(tx, orgId, after, batchSize), acted: 0 };
      for (const call of batch.calls) if (await act(tx, call)) batch.acted += 1;
      return batch;
    });
    done += acted;
    if (calls.length < batchSize) return done;
    after = calls.at(-1)!.id;
  }
}

/** Hangs up the live calls that match. Returns how many. */
export const hangUpWhere = (app: App, orgId: string, matches: (call: Call) => boolean): Promise<number> =>
  forEachLive(app, orgId, async (tx, call) => {
    if (!matches(call)) return false;
    await hangUpLive(app, tx, call);
    return true;
  });

/** Whether a call goes to a telephone: it is neither an incoming one nor a test call. */
export const isOutgoing = ({ direction, channel }: Call): boolean => direction === 'outbound' && channel !== 'web';

/** How many calls ring, or are about to, and in how many somebody talks; incoming and test calls do not count. */
export async function outgoingInFlight(app: App, orgId: string): Promise<{ ringing: number; talking: number }> {
  const states = await store.outgoingStates(app.db, orgId);
  const [all, talking] = [[...states.values()].reduce((sum, calls) => sum + calls, 0), states.get('in_progress') ?? 0];
  return { ringing: all - talking, talking };
}
