import assert from 'node:assert/strict';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { OutboundError } from '../../src/base/outbound/client.ts';
import { installation, transact } from '../../src/db/transaction.ts';
import { enqueue, externalJob, jobKind } from '../../src/kernel/queue.ts';
import { createTestApp } from '../support/app.ts';

const report = jobKind<Record<string, never>>('test.report');

test(
  'a stop aborts the requests of jobs that are still running after the grace period',
  { timeout: 30_000 },
  async (t) => {
    const allArrived = Promise.withResolvers<void>();
    let arrived = 0;
    const server = http.createServer(() => (arrived += 1) === 3 && allArrived.resolve());
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    t.after(() => {
      server.closeAllConnections();
      server.close();
    });
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const failures: unknown[] = [];
    const { app, clock, close } = await createTestApp({
      jobs: () => [
        externalJob(report, {
          laneConcurrency: 3,
          leaseMs: 60_000,
          retryDelaysMs: [0],
          async run({ outbound }) {
            await outbound.post(url, { timeoutMs: 60_000 }).catch((error: unknown) => failures.push(error));
            return { write: () => Promise.resolve() };
          },
          exhausted: () => Promise.resolve(),
        }),
      ],
    });
    await transact(app.db, installation, async (tx) => {
      for (const key of ['one', 'two', 'three']) {
        await enqueue(app, tx, report, { key, lane: 'reports', dueAt: clock.now(), payload: {} });
      }
    });
    await allArrived.promise;
    await close();
    assert.deepEqual(
      failures.map((error) => error instanceof OutboundError && error.reason),
      ['aborted', 'aborted', 'aborted'],
    );
  },
);
