import { createCounter, createHistogram, shortTimes } from '../../base/meters.ts';
import { gauge, type Metric } from '../../base/metric.ts';

/** What a node measures of its work on PostgreSQL. */
export type StoreMeters = {
  repeated(reason: 'conflict' | 'connection'): void;
  waited(seconds: number): void;
  transaction(seconds: number): void;
  metrics(): Metric[];
};

export function createStoreMeters(connections: () => { used: number; idle: number }): StoreMeters {
  const retries = createCounter({
    name: 'parley_store_retries_total',
    help: 'Statements and transactions that ran again after a conflict or a broken connection, by reason.',
    labelled: true,
  });
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
    repeated: (reason) => retries.add({ reason }),
    waited: (seconds) => waits.observe(seconds),
    transaction: (seconds) => transactions.observe(seconds),
    metrics() {
      const { used, idle } = connections();
      return [
        gauge('parley_store_connections', 'Connections to the database, by state.', [
          { labels: { state: 'used' }, value: used },
          { labels: { state: 'idle' }, value: idle },
        ]),
        ...[retries, waits, transactions].map((one) => one.metric()),
      ];
    },
  };
}
