import { createHistogram, shortTimes } from '../../base/meters.ts';
import { counter, gauge, type Metric } from '../../base/metric.ts';

/** What a node measures of its work on PostgreSQL. */
export type StoreMeters = {
  repeated(reason: 'conflict' | 'connection'): void;
  waited(seconds: number): void;
  transaction(seconds: number): void;
  metrics(): Metric[];
};

export function createStoreMeters(connections: () => { used: number; idle: number }): StoreMeters {
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
      const { used, idle } = connections();
      return [
        gauge('parley_store_connections', 'Connections to the database, by state.', [
          { labels: { state: 'used' }, value: used },
          { labels: { state: 'idle' }, value: idle },
        ]),
        counter(
          'parley_store_retries_total',
          'Statements and transactions that ran again after a conflict or a broken connection, by reason.',
          Object.entries(retries).map(([reason, value]) => ({ labels: { reason }, value })),
        ),
        ...[waits, transactions].map((one) => one.metric()),
      ];
    },
  };
}
