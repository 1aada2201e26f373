import { AppError } from '../../base/errors.ts';

/** Work that is done one after the other; those for whom it is done take turns. */
export type FairQueue = {
  /** @throws what the work throws; unavailable where too much waits for `owner`; what `close` was given for what had not begun by then */
  run<R>(owner: string, work: () => Promise<R>): Promise<R>;
  /** Refuses what waits and what comes, and resolves when what runs has ended. */
  close(reason: () => Error): Promise<void>;
};

type Place = PromiseWithResolvers<void>;

/** By hand rather than by p-limit, which knows neither turns nor a bound, and cannot refuse what waits. */
export function createFairQueue(mostEach: number): FairQueue {
  /** By owner, in the order in which they have their turns. */
  const waiting = new Map<string, Place[]>();
  let runs = false;
  let closed: (() => Error) | undefined;
  let idle: (() => void) | undefined;

  function wait(owner: string): Promise<void> {
    const places = waiting.get(owner) ?? [];
    if (places.length >= mostEach) throw new AppError('unavailable', 'Too many questions wait; try again later.');
    const place: Place = Promise.withResolvers();
    places.push(place);
    waiting.set(owner, places);
    return place.promise;
  }

  function next(): Place | undefined {
    const [first] = waiting;
    if (!first) return undefined;
    const [owner, places] = first;
    const place = places.shift();
    waiting.delete(owner);
    if (places.length > 0) waiting.set(owner, places);
    return place;
  }

  return {
    async run(owner, work) {
      if (closed) throw closed();
      if (runs) await wait(owner);
      runs = true;
      try {
        return await work();
      } finally {
        const place = next();
        place?.resolve();
        runs = place !== undefined;
        if (!runs) idle?.();
      }
    },
    async close(reason) {
      closed = reason;
      for (let place = next(); place; place = next()) place.reject(reason());
      if (runs) await new Promise<void>((resolve) => (idle = resolve));
    },
  };
}
