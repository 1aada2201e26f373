import { afterIo } from '../../base/clock.ts';

/**
 * Long work on the sound of calls is done in pieces: one piece of one call in a turn of the event loop, so that the packets of all calls are
 * sent between them. A minute of PCM that came at once would keep the thread from everything else for 200 ms.
 */
function createTurns(): () => Promise<void> {
  const waiting: Array<() => void> = [];
  function next(): void {
    waiting.shift()?.();
    if (waiting.length > 0) afterIo(next);
  }
  return () =>
    new Promise((resolve) => {
      waiting.push(resolve);
      if (waiting.length === 1) afterIo(next);
    });
}

/** Resolves when it is the caller's turn. All calls of a thread stand in one line. */
export const nextTurn = createTurns();

/** Milliseconds of sound that are converted in one turn, which takes about 1 ms. */
const pieceMs = 250;

/** Bytes of a piece of 16-bit samples, `rate` a second of each of `channels`. */
export const pieceBytesOf = (rate: number, channels = 1): number => ((rate * pieceMs) / 1000) * 2 * channels;
