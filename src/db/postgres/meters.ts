import { createHistogram, shortTimes } from '../../base/meters.ts';
import { counter, gauge, type Metric } from '../../base/metric.ts';

/** Numbers of another thread, which writes them where this one reads them. */
export type SharedMeters = SharedArrayBuffer;

const shared = { used: 0, idle: 1, conflict: 2, connection: 3 } as const;
type SharedNumber = keyof typeof shared;

export const createSharedMeters = (): SharedMeters =>
  new SharedArrayBuffer(Object.keys(shared).length * Int32Array.BYTES_PER_ELEMENT);

const sharedNumber = (meters: SharedMeters, name: SharedNumber): number =>
  Atomics.load(new Int32Array(meters), shared[name]);

type Repeat = 'conflict' | 'connection';

/** What the other thread tells: its connections, and what ran again. */
export function sharedMeters(meters: SharedMeters) {
  const numbers = new Int32Array(meters);
  return {
    connections({ used, idle }: Record<'used' | 'idle', number>): void {
      Atomics.store(numbers, shared.used, used);
      Atomics.store(numbers, shared.idle, idle);
    },
    repeated: (reason: Repeat): void => void Atomics.add(numbers, shared[reason], 1),
  };
}

/** What a node measures of its work on PostgreSQL. */
export type StoreMeters = {
  repeated(reason: Repeat): void;
  waited(seconds: number): void;
  transaction(seconds: number): void;
  metrics(): Metric[];
};

/** `background`: the numbers of the background thread, which has connections of its own. */
export function createStoreMeters(
  connections: () => Record<'used' | 'idle', number>,
  background: SharedMeters = createSharedMeters(),
): StoreMeters {
  const retries = { conflict: 0, connection: 0 };
  const waits = createHistogram(
    {
      name: 'parley_store_lock_wait_seconds',
      help: 'How long transactions waited for others of the same organization.',
    },
    shortTimes,
  );
  const transactions = createHistogram(
    { name: 'parley_store_transaction_seconds', help: 'How long transactions took, with their commit.' },
    shortTimes,
  );
  return {
    repeated: (reason) => void (retries[reason] += 1),
    waited: (seconds) => waits.observe(seconds),
    transaction: (seconds) => transactions.observe(seconds),
    metrics() {
      const own = connections();
      const sum = (name: 'used' | 'idle'): number => own[name] + sharedNumber(background, name);
      return [
        gauge('parley_store_connections', 'Connections to the database, by state.', [
          { labels: { state: 'used' }, value: sum('used') },
          { labels: { state: 'idle' }, value: sum('idle') },
        ]),
        counter(
          'parley_store_retries_total',
          'Statements and transactions that ran again after a conflict or a broken connection, by reason.',
          (['conflict', 'connection'] as const).map((reason) => ({
            labels: { reason },
            value: retries[reason] + sharedNumber(background, reason),
          })),
        ),
        ...[waits, transactions].map((one) => one.metric()),
      ];
    },
  };
}
