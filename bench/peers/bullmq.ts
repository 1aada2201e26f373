import { Queue, Worker } from 'bullmq';
import { type Delivery, maxInFlight, post, serveRounds, workerArguments } from '../support/delivery-worker.ts';

/** BullMQ forgets delivered jobs, which spares it memory and time. parley keeps each delivery with its attempts. */
const connection = { host: '127.0.0.1', port: workerArguments().port };
const options = { attempts: 12, backoff: { type: 'exponential', delay: 5000 }, removeOnComplete: true };
const queue = new Queue<Delivery>('deliveries', { connection });

const add = (deliveries: Delivery[]) =>
  queue.addBulk(deliveries.map((data) => ({ name: 'deliver', data, opts: options })));

async function drain(count: number): Promise<void> {
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

serveRounds(add, drain);
