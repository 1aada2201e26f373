import { nextTurn } from '../turns.ts';
import type { createDownlink } from './sound.ts';

type Converted = { downlink: ReturnType<typeof createDownlink> };

/** `bytes` is null for the end of an answer's sound. */
type Waiting<Answer> = { answer: Answer; bytes: Buffer | null };

export type ConversionParts<Answer> = {
  /** Whether more may be played. */
  hasRoom(): boolean;
  play(answer: Answer, sound: Uint8Array): void;
  /** All sound of the answer is played. */
  ended(answer: Answer): void;
  /** There was no room for these bytes, and they are not converted. */
  passed(answer: Answer, bytes: number): void;
};

/** Converts the sound of a call's answers in order, and in pieces: the first at once, the others as turns come. */
export function createConversion<Answer extends Converted>(parts: ConversionParts<Answer>) {
  let waiting: Array<Waiting<Answer>> = [];
  let isRunning = false;

  function convertNext(first: Waiting<Answer>): void {
    const { answer, bytes } = first;
    const { downlink } = answer;
    const piece = bytes !== null && parts.hasRoom() ? bytes.subarray(0, downlink.pieceBytes) : null;
    if (piece && piece.length < bytes!.length) first.bytes = bytes!.subarray(piece.length);
    else waiting.shift();
    if (piece) parts.play(answer, downlink.push(piece));
    else if (bytes) parts.passed(answer, bytes.length);
    else {
      parts.play(answer, downlink.end());
      parts.ended(answer);
    }
  }

  async function run(): Promise<void> {
    isRunning = true;
    for (let [first] = waiting; first; [first] = waiting) {
      convertNext(first);
      if (waiting.length > 0) await nextTurn();
    }
    isRunning = false;
  }

  return {
    add(answer: Answer, bytes: Buffer | null): void {
      waiting.push({ answer, bytes });
      if (!isRunning) void run();
    },
    waitingMs: (): number =>
      waiting.reduce((sum, { answer, bytes }) => sum + answer.downlink.lengthMs(bytes?.length ?? 0), 0),
    /** Drops what waits of the answers. */
    drop(this: void, isDropped: (answer: Answer) => boolean): void {
      waiting = waiting.filter(({ answer }) => !isDropped(answer));
    },
  };
}
