import { connect } from 'node:net';
import pg from 'pg';
import { monotonicMs } from '../../base/clock.ts';
import { clientConfig, type PostgresSettings } from './address.ts';
import { pipelining } from './client.ts';
import { isAnswer, isLoss, lost, refused } from './errors.ts';

/** The connections of a pool, with a limit for each wait: for a connection, and for each answer. */
export type Clients = {
  /**
   * Lends a connection. While the database is known to be out of reach, waits no longer than the time-out after `sinceMs`, so that
   * requests that waited for one another do not add up their waits.
   */
  acquire(this: void, sinceMs: number): Promise<pg.PoolClient>;
  /** Waits for the answer to a statement. Ends the connection if it comes too late, or if the network has silently cut the connection. */
  answered<T>(this: void, client: pg.ClientBase, answer: Promise<T>): Promise<T>;
};

export type ClientsParts = {
  pool: { connect(): Promise<pg.PoolClient> };
  settings: PostgresSettings;
  isOutOfReach: () => boolean;
  /** Whether another connection may be opened to learn if the database answers. */
  probes: boolean;
};

type Waiting = { client: pg.ClientBase; sinceMs: number; fail: (error: Error) => void };

/** How often waits are looked at. Real time, as all of this: it is about the network. */
const lookEveryMs = 200;
/** The server ends statements of transactions at the time-out; this one is for those that it does not, and for a server that is gone. */
const graceMs = 500;
const minWaitMs = 100;

// oxlint-disable-next-line max-lines-per-function -- one set of waits; its functions share it
export function createClients({ pool, settings, isOutOfReach, probes }: ClientsParts): Clients {
  const { connectTimeoutMs, statementTimeoutMs } = settings;
  const waits = new Set<Waiting>();
  const madeMs = new WeakMap<pg.ClientBase, number>();
  /** Connections made before may have been cut too. */
  let cutMs = -Infinity;
  let [probedMs, answeredMs] = [-Infinity, -Infinity];
  let timer: NodeJS.Timeout | undefined;

  function fail(waiting: Waiting, error: Error): void {
    waits.delete(waiting);
    waiting.fail(error);
    pipelining(waiting.client, false); // else pg would wait for the answers before it ends the connection
    void (waiting.client as pg.Client).end().catch(() => undefined);
  }

  /** The server begins with the next statement on a connection when it has answered the one before. */
  function restart(client: pg.ClientBase): void {
    for (const waiting of waits) if (waiting.client === client) waiting.sinceMs = monotonicMs();
  }

  /** Suspects the network after 0.4 of the time-out, and knows after another half, so that a request is answered within it. */
  function look(): void {
    const nowMs = monotonicMs();
    if (waits.size === 0) {
      clearInterval(timer);
      timer = undefined;
    }
    let isSuspicious = false;
    for (const waiting of waits) {
      const waitedMs = nowMs - waiting.sinceMs;
      if (waitedMs > statementTimeoutMs + graceMs) {
        cancel(waiting.client, settings);
        fail(waiting, refused(`the statement took longer than ${statementTimeoutMs} ms`));
      } else if (waitedMs > 0.4 * connectTimeoutMs) isSuspicious = true;
    }
    if (isSuspicious && probes && nowMs - probedMs > 0.9 * connectTimeoutMs) void probe(nowMs);
  }

  async function probe(nowMs: number): Promise<void> {
    probedMs = nowMs;
    const client = new pg.Client({ ...clientConfig(settings), connectionTimeoutMillis: 0.5 * connectTimeoutMs });
    client.on('error', () => undefined);
    try {
      await client.connect();
    } catch (error) {
      if (isAnswer(error)) return; // a server that refuses connections is there
      cutMs = monotonicMs();
      for (const waiting of waits) if (waiting.sinceMs < nowMs) fail(waiting, lost('it does not answer'));
    } finally {
      void client.end().catch(() => undefined);
    }
  }

  /** Takes connections from the pool until one was made after the network was cut last. */
  async function lend(): Promise<pg.PoolClient> {
    for (;;) {
      const client = await pool.connect();
      const made = madeMs.get(client);
      if (made === undefined) madeMs.set(client, monotonicMs());
      if (made === undefined || made > cutMs) return client;
      client.release(true);
    }
  }

  return {
    async acquire(sinceMs) {
      const leftMs = sinceMs + connectTimeoutMs - monotonicMs();
      const limitMs = isOutOfReach() ? Math.max(minWaitMs, leftMs) : connectTimeoutMs;
      return new Promise<pg.PoolClient>((resolve, reject) => {
        let isOver = false;
        const giveUp = (error: Error): void => {
          isOver = true;
          if (isLoss(error) && !isAnswer(error) && answeredMs < sinceMs) cutMs = monotonicMs();
          reject(error);
        };
        // oxlint-disable-next-line no-restricted-globals -- real time, as a time-out of the network
        const tooLate = setTimeout(() => {
          const isBusy = monotonicMs() - answeredMs < limitMs;
          const within = `within ${Math.round(limitMs)} ms`;
          giveUp(isBusy ? refused(`no connection became free ${within}`) : lost(`no connection ${within}`));
        }, limitMs);
        void lend()
          .then((client) => (isOver ? client.release() : resolve(client)), giveUp)
          .finally(() => clearTimeout(tooLate));
      });
    },
    answered: (client, answer) =>
      new Promise((resolve, reject) => {
        const waiting = { client, sinceMs: monotonicMs(), fail: reject };
        waits.add(waiting);
        // oxlint-disable-next-line no-restricted-globals -- real time, as a time-out of the network
        timer ??= setInterval(look, lookEveryMs).unref();
        const ended = (): void => {
          waits.delete(waiting);
          restart(client);
        };
        void answer
          .then((value) => {
            answeredMs = monotonicMs();
            return resolve(value);
          }, reject)
          .finally(ended);
      }),
  };
}

/** The code of a CancelRequest (https://www.postgresql.org/docs/current/protocol-message-formats.html). */
const cancelRequest = 80_877_102;

/** Asks the server to end the statement that runs on a connection. Nothing answers, and nothing depends on it. */
function cancel(client: pg.ClientBase, settings: PostgresSettings): void {
  const { processID, secretKey } = client as unknown as { processID?: number; secretKey?: number };
  if (typeof processID !== 'number' || typeof secretKey !== 'number') return;
  const { host, port = 5432 } = clientConfig(settings);
  const message = Buffer.alloc(16);
  [16, cancelRequest, processID, secretKey].forEach((value, index) => message.writeInt32BE(value, index * 4));
  const socket = host!.startsWith('/') ? connect(`${host!}/.s.PGSQL.${port}`) : connect(port, host);
  socket.setTimeout(settings.connectTimeoutMs, () => socket.destroy());
  socket.on('error', () => undefined);
  socket.unref().end(message);
}
