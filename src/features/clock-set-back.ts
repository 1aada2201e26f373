import { installation, transact } from '../db/transaction.ts';
import type { App } from '../kernel/app.ts';

/**
 * After the machine's clock was set back, moves back by the same time the instants from which calls may start, campaigns have their turn
 * and carriers are probed.
 * Otherwise nobody would be called until the clock catches up. Calling windows and the ends of campaigns stay: they are wall-clock times.
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
