import { monotonicMs, pause } from '../../base/clock.ts';

const lookEveryMs = 40;
/** A model that announces for longer is not waited for. */
const maxWaitMs = 15_000;

/** The agent announces that it hands the call on: the tool waits until that is heard, or it would be cut off. */
export const waitsForSound = (tool: string): boolean => tool === 'transfer_call';

/** Resolves when nothing waits to be played any more, or the call is over. */
export async function playedOut(isPlaying: () => boolean): Promise<void> {
  const untilMs = monotonicMs() + maxWaitMs;
  while (isPlaying() && monotonicMs() < untilMs) await pause(lookEveryMs);
}
