import { afterIo } from './clock.ts';

export type LogBuffer = {
  add(line: string): void;
  /** Writes what has been added since the last write. */
  flush(): void;
};

/** More is written at once, so that code which logs in a long loop does not fill the memory. */
const maxLength = 65_536;

/** Writes the lines of one tick of the event loop together, because each write is a system call that costs as much as formatting a line. */
export function createLogBuffer(write: (text: string) => void): LogBuffer {
  let pending = '';
  function flush(): void {
    const text = pending;
    pending = '';
    if (text !== '') write(text);
  }
  return {
    add(line) {
      if (pending === '') afterIo(flush);
      pending += line;
      if (pending.length >= maxLength) flush();
    },
    flush,
  };
}

const signals = ['SIGHUP', 'SIGINT', 'SIGQUIT', 'SIGTERM'] as const;

/** Flushes when the process ends: by itself, by an uncaught error, or by a signal that nothing else handles. */
export function flushAtEnd(flush: () => void): void {
  process.on('exit', flush);
  for (const signal of signals) {
    const onSignal = (): void => {
      flush();
      if (process.listenerCount(signal) > 1) return;
      process.off(signal, onSignal);
      process.kill(process.pid, signal); // Without a listener, the signal ends the process.
    };
    process.on(signal, onSignal);
  }
}
