import { Queue, Worker } from 'bullmq';
import {
  type Delivery,
  maxInFlight,
  newDeliveries,
  post,
  serveRounds,
  workerArguments,
} from '../support/delivery-worker.ts';

/** BullMQ forgets delivered jobs, which spares it memory and time. parley keeps each delivery with its attempts. */
const connection = { host: '127.0.0.1', port: workerArguments().port };
const options = { attempts: 12, backoff: { type: 'exponential', delay: 5000 }, removeOnComplete: true };
const queue = new Queue<Delivery>('deliveries', { connection });
const batchSize = 1000;
let count = 0;

async function fill(): Promise<void> {
  const deliveries = newDeliveries();
  count = deliveries.length;
  for (let from = 0; from < count; from += batchSize) {
    const batch = deliveries.slice(from, from + batchSize);
    await queue.addBulk(batch.map((data) => ({ name: 'deliver', data, opts: options })));
  }
}

async function drain(): Promise<void> {
  const worker = new Worker<Delivery>('deliveries', ({ data }) => post(data), { connection, concurrency: maxInFlight });
  await new Promise<void>((resolve, reject) => {
    let done = 0;
    worker.on('completed', () => {
      if (++done === count) resolve();
    });
    worker.on('failed', (_, error) => reject(error));
    worker.on('error', reject);
  });
  await worker.close();
}

serveRounds(fill, drain);
