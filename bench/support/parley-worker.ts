import { writeFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { callCompletedBody } from '../../src/features/webhooks/payload.ts';
import { serveParent } from './child.ts';
import { deliver, endedCall } from './deliveries.ts';
import { workerArguments } from './delivery-worker.ts';
import { makeAgent, startServer } from './server.ts';

/** parley as one side of bench/peers.ts, in a process of its own. It writes the body that the peers send to a file. */
const { url, urls, events, bodyFile } = workerArguments();
const server = await startServer();
const agents: string[] = [];
for (let index = 0; index < urls; index++) agents.push(await makeAgent(server, [`${url}/hooks/${index}`]));
writeFileSync(bodyFile, callCompletedBody(endedCall(server, agents[0]!)));

async function measureRound() {
  const lag = monitorEventLoopDelay({ resolution: 1 });
  const { perSecond, cpuUs } = await deliver(server, agents, events, () => void lag.enable());
  lag.disable();
  return { perSecond, cpuUs, serverCpuUs: 0, lagMs: lag.percentile(99) / 1e6 };
}

serveParent({}, measureRound, () => server.finish());
