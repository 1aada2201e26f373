import { installation, transact } from '../db/transaction.ts';
import type { App } from '../kernel/app.ts';

/**
 * To be called after the machine's clock was set back by `setBackMs`. Moves stored instants in the future back by as much: those from which
 * an organization, number or campaign may start its next call, those at which campaigns have their turn, and those at which carriers are
 * probed. Otherwise nobody would be called until the clock catches up. Calling windows and the ends of campaigns stay, because they are
 * wall-clock times.
 */
export const moveInstantsBack = (app: App, setBackMs: number): Promise<void> =>
  transact(app.db, installation, async (tx) => {
    const now = app.clock.now();
    for (const table of ['organizations', 'phone_numbers', 'campaigns'] as const) {
      await tx
        .updateTable(table)
        .set((eb) => ({ pace_at: eb('pace_at', '-', setBackMs) }))
        .where('pace_at', '>', now)
        .execute();
    }
    await tx
      .updateTable('campaigns')
      .set((eb) => ({ turn_at: eb('turn_at', '-', setBackMs) }))
      .where('turn_at', '>', now)
      .execute();
    await tx
      .updateTable('carrier_pauses')
      .set((eb) => ({ probe_at: eb('probe_at', '-', setBackMs) }))
      .where('probe_at', '>', now)
      .execute();
  });
