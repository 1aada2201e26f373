import type { TestContext } from 'node:test';
import fc from 'fast-check';
import { histories, HistoryPlayer } from './history.ts';

/** Plays random histories and prints the command that replays them. A failing history is not shrunk, because each replay starts servers. */
export async function playHistories(t: TestContext, { runs, seed }: { runs: number; seed: number }): Promise<void> {
  const player = new HistoryPlayer();
  t.after(() => player.close());
  t.diagnostic(`PARLEY_DIALING_SEED=${seed} PARLEY_DIALING_HISTORIES=${runs} npm run test:dialing`);
  await fc.assert(
    fc.asyncProperty(histories, (history) => player.play(history)),
    { seed, numRuns: runs, endOnFailure: true },
  );
  t.diagnostic(JSON.stringify(player.total));
}

export const randomSeed = (): number => Math.floor(Math.random() * 1e9);
