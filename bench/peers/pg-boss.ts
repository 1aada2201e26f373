import { PgBoss } from 'pg-boss';
import { type Delivery, maxInFlight, post, serveRounds, workerArguments } from '../support/delivery-worker.ts';

/**
 * Fetches and completes batches in a loop, because a worker of pg-boss waits between fetches. Four loops of 64 were faster than two of
 * 128 and eight of 32.
 */
const { port } = workerArguments();
const boss = new PgBoss({ connectionString: `postgres://postgres@127.0.0.1:${port}/postgres` });
const queue = 'deliveries';
const loops = Number(process.env['LOOPS'] ?? 4);
await boss.start();
await boss.createQueue(queue, { retryLimit: 12, retryDelay: 5, retryBackoff: true });

const add = (deliveries: Delivery[]) =>
  boss.insert(
    queue,
    deliveries.map((data) => ({ data })),
  );

async function work(): Promise<void> {
  for (;;) {
    const jobs = await boss.fetch<Delivery>(queue, { batchSize: maxInFlight / loops });
    if (jobs.length === 0) return;
    await Promise.all(jobs.map((job) => post(job.data)));
    await boss.complete(
      queue,
      jobs.map((job) => job.id),
    );
  }
}

serveRounds(add, async () => void (await Promise.all(Array.from({ length: loops }, work))));
