import type pg from 'pg';
import { monotonicMs } from '../../base/clock.ts';
import { pipelining } from './client.ts';
import type { Clients } from './clients.ts';
import { isLoss } from './errors.ts';

/** Runs a read on a connection of the pool. */
export type Read = <T>(sinceMs: number, read: (client: pg.ClientBase) => Promise<T>) => Promise<T>;

/** Reads under way on one connection. The server carries them out one after the other. */
const maxTogether = 8;
/** Reads that the one before them has held up this long (ms) are sent again, each on a connection of its own. */
const maxHeldUpMs = 50;

type Reading = {
  run(client: pg.ClientBase): Promise<unknown>;
  answer(value: unknown): void;
  isAnswered: boolean;
};

/** A connection that is lent while reads are under way on it. */
type Shared = {
  client: Promise<pg.PoolClient>;
  underWay: Reading[];
  /** When the server may have begun with the first of them; undefined until the connection is there. */
  beganMs: number | undefined;
  takesMore: boolean;
  isLost: boolean;
};

/**
 * Reads outside of transactions go to one connection, a few at a time and without waiting for one another: a connection for each costs
 * this thread two to three times as much. `readAlone` lends one for one read.
 */
export function createSharedReads(acquire: Clients['acquire'], readAlone: Read): Read {
  const lent = new Set<Shared>();
  let timer: NodeJS.Timeout | undefined;

  function withRoom(sinceMs: number): Shared {
    for (const shared of lent) if (shared.takesMore && shared.underWay.length < maxTogether) return shared;
    const client = acquire(sinceMs);
    const shared: Shared = { client, underWay: [], beganMs: undefined, takesMore: true, isLost: false };
    lent.add(shared);
    // oxlint-disable-next-line no-restricted-globals -- real time: it is about the server
    timer ??= setInterval(look, maxHeldUpMs / 2).unref();
    return shared;
  }

  function look(): void {
    if (lent.size === 0) {
      clearInterval(timer);
      timer = undefined;
    }
    const nowMs = monotonicMs();
    for (const shared of lent) {
      if (!shared.takesMore || nowMs - (shared.beganMs ?? nowMs) < maxHeldUpMs) continue;
      shared.takesMore = false;
      for (const reading of shared.underWay.slice(1)) again(reading, nowMs);
    }
  }

  /** The first answer counts. Where this one fails, the other is still to come. */
  function again(reading: Reading, nowMs: number): void {
    const run = async (client: pg.ClientBase): Promise<void> => {
      if (!reading.isAnswered) reading.answer(await reading.run(client));
    };
    readAlone(nowMs, run).catch(() => undefined);
  }

  async function readOn<T>(shared: Shared, reading: Reading, read: (client: pg.ClientBase) => Promise<T>): Promise<T> {
    shared.underWay.push(reading);
    let client: pg.PoolClient | undefined;
    try {
      client = await shared.client;
      pipelining(client, true);
      shared.beganMs ??= monotonicMs();
      return await read(client);
    } catch (error) {
      shared.isLost ||= isLoss(error);
      throw error;
    } finally {
      reading.isAnswered = true;
      shared.underWay.splice(shared.underWay.indexOf(reading), 1);
      shared.takesMore &&= !shared.isLost;
      shared.beganMs &&= monotonicMs();
      if (shared.underWay.length === 0) giveBack(shared, client);
    }
  }

  function giveBack(shared: Shared, client: pg.PoolClient | undefined): void {
    lent.delete(shared);
    if (!client) return;
    pipelining(client, false);
    client.release(shared.isLost);
  }

  return <T>(sinceMs: number, read: (client: pg.ClientBase) => Promise<T>) =>
    new Promise<T>((resolve, reject) => {
      const reading: Reading = { run: read, answer: resolve, isAnswered: false };
      readOn(withRoom(sinceMs), reading, read).then(resolve, reject);
    });
}
