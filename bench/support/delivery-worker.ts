import { createHmac, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Agent, request } from 'undici';
import { serveParent } from './child.ts';
import { measured } from './deliveries.ts';
import { cpuMsOfGroup } from './serve.ts';

/** The side of a peer in bench/peers.ts: a process that fills its queue with deliveries, then sends them and measures that. */
export type Delivery = { id: string; url: string; body: string };

export const maxInFlight = 256;

/** The arguments of a worker's process. The port and the process id are those of its database server. */
export const workerArguments = () => {
  const [url = '', urls = '', events = '', bodyFile = '', port = '', pid = ''] = process.argv.slice(2);
  return { url, urls: Number(urls), events: Number(events), bodyFile, port: Number(port), pid: Number(pid) };
};

const secret = randomBytes(32);
const agent = new Agent({ connections: maxInFlight });

/** Signs a delivery as Standard Webhooks says, and sends it. */
export async function post({ id, url, body }: Delivery): Promise<void> {
  const timestamp = String(Math.floor(Date.now() / 1000));
  const signature = createHmac('sha256', secret).update(`${id}.${timestamp}.${body}`).digest('base64');
  const response = await request(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'user-agent': 'peer',
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      'webhook-signature': `v1,${signature}`,
    },
    body,
    dispatcher: agent,
  });
  await response.body.dump();
  if (response.statusCode !== 200) throw new Error(`the receiver answered ${response.statusCode}`);
}

/** Deliveries to all URLs in turn, so that about eight of those under way go to each. */
function newDeliveries(): Delivery[] {
  const { url, urls, events, bodyFile } = workerArguments();
  const body = readFileSync(bodyFile, 'utf8');
  return Array.from({ length: events }, (_, index) => ({
    id: crypto.randomUUID(),
    url: `${url}/hooks/${index % urls}`,
    body,
  }));
}

/** Deliveries that a peer adds to its queue at a time. */
const batchSize = 1000;

/**
 * Serves `bench/peers.ts`: each request for figures is a round. `add` adds deliveries to the queue. `drain` resolves when all, `count`, are
 * sent and recorded.
 */
export function serveRounds(
  add: (deliveries: Delivery[]) => Promise<unknown>,
  drain: (count: number) => Promise<void>,
): void {
  const { events, pid } = workerArguments();
  serveParent({}, async () => {
    const deliveries = newDeliveries();
    for (let from = 0; from < events; from += batchSize) await add(deliveries.slice(from, from + batchSize));
    const lag = monitorEventLoopDelay({ resolution: 1 });
    const before = cpuMsOfGroup(pid);
    lag.enable();
    const { perSecond, cpuUs } = await measured(events, () => drain(events));
    lag.disable();
    const serverCpuUs = ((cpuMsOfGroup(pid) - before) * 1000) / events;
    return { perSecond, cpuUs, serverCpuUs, lagMs: lag.percentile(99) / 1e6 };
  });
}
