import { monotonicMs } from '../../base/clock.ts';

/** One line that is rewritten in place on a terminal, and printed every two seconds where output is a file or a pipe. */
export type LiveLine = { show(text: string): void; end(): void };

const plainEveryMs = 2000;

export function liveLine(stream: NodeJS.WriteStream): LiveLine {
  let last = '';
  let lastPlainMs = Number.NEGATIVE_INFINITY;
  if (stream.isTTY) {
    return {
      // Cut to the width: a line that wraps cannot be taken back by a carriage return.
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
