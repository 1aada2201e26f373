import { monotonicMs } from '../../base/clock.ts';

/** A status line. A terminal rewrites it in place; a file or pipe gets a new line at most every two seconds. */
export type LiveLine = { show(text: string): void; end(): void };

const plainEveryMs = 2000;

export function liveLine(stream: NodeJS.WriteStream): LiveLine {
  let last = '';
  let lastPlainMs = Number.NEGATIVE_INFINITY;
  if (stream.isTTY) {
    return {
      // Cut to the terminal's width, because a carriage return cannot go back over a wrapped line.
      show: (text) => void stream.write(`\r${text.slice(0, stream.columns - 1)}\u001B[K`),
      end: () => void stream.write('\n'),
    };
  }
  return {
    show(text) {
      if (text === last || monotonicMs() - lastPlainMs < plainEveryMs) return;
      last = text;
      lastPlainMs = monotonicMs();
      stream.write(`${text}\n`);
    },
    end() {},
  };
}
