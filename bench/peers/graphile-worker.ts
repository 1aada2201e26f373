import { EventEmitter } from 'node:events';
import { makeWorkerUtils, run, type WorkerEvents } from 'graphile-worker';
import { type Delivery, maxInFlight, post, serveRounds, workerArguments } from '../support/delivery-worker.ts';

/** Fetches and completes in batches, as its page on performance advises. bench/peers.ts sets NO_LOG_SUCCESS, as the page does too. */
const connectionString = `postgres://postgres@127.0.0.1:${workerArguments().port}/postgres`;
const preset = {
  worker: {
    connectionString,
    concurrentJobs: maxInFlight,
    localQueue: { size: maxInFlight + 1 },
    completeJobBatchDelay: 0,
    failJobBatchDelay: 0,
  },
};
const utils = await makeWorkerUtils({ connectionString });
await utils.migrate();

const add = (deliveries: Delivery[]) =>
  utils.addJobs(deliveries.map((payload) => ({ identifier: 'deliver', payload, maxAttempts: 12 })));

async function drain(count: number): Promise<void> {
  const events: WorkerEvents = new EventEmitter();
  const finished = new Promise<void>((resolve, reject) => {
    let done = 0;
    events.on('job:success', () => {
      if (++done === count) resolve();
    });
    events.on('job:error', ({ error }) => reject(error as Error));
  });
  const runner = await run({ preset, events, taskList: { deliver: (payload) => post(payload as Delivery) } });
  await finished;
  await runner.stop(); // The last batch is recorded when this resolves.
}

serveRounds(add, drain);
