import { AppError } from '../../../base/errors.ts';

/** For whom a password is hashed. Senders take turns; log-ins that are probably genuine go first. */
export type HashRequester = { sender: string; isTrusted: boolean };

export type HashQueue = {
  /**
   * @throws rate_limited when the queue is full; also while the work waits, when it has to give its place to a trusted log-in or to a
   *   sender with less waiting work
   */
  run<T>(requester: HashRequester, work: () => Promise<T>): Promise<T>;
};

type Waiter = PromiseWithResolvers<void>;

/**
 * Limits how many passwords are hashed at a time and how many wait. When the queue is full, new work takes a place from the untrusted
 * sender with the most waiting work, so that a flood from one address keeps nobody else out. By hand, because p-limit has neither turns
 * nor a limit on waiting work.
 */
export function createHashQueue({ maxRunning, maxWaiting }: { maxRunning: number; maxWaiting: number }): HashQueue {
  /** The waiting work of each sender. Senders are in the order of their turns. */
  const lines = { trusted: new Map<string, Waiter[]>(), others: new Map<string, Waiter[]>() };
  let running = 0;
  let waiting = 0;

  function wait({ sender, isTrusted }: HashRequester): Promise<void> {
    const line = isTrusted ? lines.trusted : lines.others;
    const own = line.get(sender) ?? [];
    if (waiting >= maxWaiting) evict(isTrusted ? 0 : own.length + 1);
    const waiter: Waiter = Promise.withResolvers();
    line.set(sender, [...own, waiter]);
    waiting += 1;
    return waiter.promise;
  }

  /**
   * Refuses the newest waiting request of the untrusted sender that has the most.
   * @throws rate_limited when this sender has no more than `than`
   */
  function evict(than: number): void {
    const most = [...lines.others.values()].reduce<Waiter[]>((a, b) => (b.length > a.length ? b : a), []);
    if (most.length <= than) throw busy();
    most.pop()!.reject(busy());
    waiting -= 1;
    for (const [sender, line] of lines.others) if (line.length === 0) lines.others.delete(sender);
  }

  function next(): Waiter | undefined {
    const line = lines.trusted.size > 0 ? lines.trusted : lines.others;
    const [first] = line;
    if (!first) return undefined;
    const [sender, [waiter, ...rest]] = first;
    line.delete(sender);
    if (rest.length > 0) line.set(sender, rest);
    waiting -= 1;
    return waiter;
  }

  return {
    async run(requester, work) {
      if (running >= maxRunning) await wait(requester);
      else running += 1;
      try {
        return await work();
      } finally {
        const waiter = next();
        if (waiter) waiter.resolve();
        else running -= 1;
      }
    },
  };
}

const busy = (): AppError =>
  new AppError('rate_limited', 'Too many people are logging in right now; try again in a moment.', {
    headers: { 'Retry-After': '2' },
  });
