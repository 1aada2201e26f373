import { afterIo } from '../../base/clock.ts';

/** Who waits, of all calls of the thread. */
const waiting: Array<() => void> = [];

function next(): void {
  waiting.shift()?.();
  if (waiting.length > 0) afterIo(next);
}

/**
 * Long work on the sound of calls is done in pieces: one piece of one call in a turn of the event loop, so that the packets of all calls are
 * sent between them. A minute of PCM that came at once would keep the thread from everything else for 200 ms. Resolves when it is the
 * caller's turn.
 */
export const nextTurn = (): Promise<void> =>
  new Promise((resolve) => {
    waiting.push(resolve);
    if (waiting.length === 1) afterIo(next);
  });

/** Milliseconds of sound that are converted in one turn, which takes about 1 ms. */
const pieceMs = 250;

/** Bytes of a piece of 16-bit samples, `rate` a second. */
export const pieceBytesOf = (rate: number): number => ((rate * pieceMs) / 1000) * 2;
