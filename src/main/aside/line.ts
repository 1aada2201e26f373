import { AppError } from '../../base/errors.ts';

/** Work that is done one after the other. */
export type Line = {
  /** @throws what the work throws; unavailable where too much waits; what `close` was given for what had not begun by then */
  run<R>(work: () => Promise<R>): Promise<R>;
  /** Refuses what waits and what comes, and resolves when what runs has ended. */
  close(reason: () => Error): Promise<void>;
};

/** By hand rather than by p-limit, which knows no bound and cannot refuse what waits. */
export function createLine(most: number): Line {
  const waiting: Array<{ begin: () => void; refuse: (reason: Error) => void }> = [];
  let runs = false;
  let closed: (() => Error) | undefined;
  let idle: (() => void) | undefined;

  const turn = (): Promise<void> =>
    new Promise((begin, refuse) => {
      waiting.push({ begin, refuse });
    });

  return {
    async run(work) {
      if (closed) throw closed();
      if (waiting.length >= most) throw new AppError('unavailable', 'Too many questions wait; try again later.');
      if (runs) await turn();
      runs = true;
      try {
        return await work();
      } finally {
        const next = waiting.shift();
        if (next) next.begin();
        else {
          runs = false;
          idle?.();
        }
      }
    },
    async close(reason) {
      closed = reason;
      for (const { refuse } of waiting.splice(0)) refuse(reason());
      if (runs) await new Promise<void>((resolve) => (idle = resolve));
    },
  };
}
