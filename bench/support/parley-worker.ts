import { writeFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import pg from 'pg';
import { callCompletedBody } from '../../src/features/webhooks/payload.ts';
import { serveParent } from './child.ts';
import { deliver, endedCall } from './deliveries.ts';
import { workerArguments } from './delivery-worker.ts';
import { cpuMsOfGroup } from './serve.ts';
import { makeAgent, startServer } from './server.ts';

/**
 * parley as one side of bench/peers.ts, in a process of its own, on SQLite or, where it is given a port, on that PostgreSQL server. It writes
 * the body that the peers send to a file.
 */
const { url, urls, events, bodyFile, port, pid } = workerArguments();
const isOnPostgres = port !== 0;
const server = await startServer(isOnPostgres ? { 'store.url': await newDatabase() } : {});
const agents: string[] = [];
for (let index = 0; index < urls; index++) agents.push(await makeAgent(server, [`${url}/hooks/${index}`]));
writeFileSync(bodyFile, callCompletedBody(endedCall(server, agents[0]!)));

async function newDatabase(): Promise<string> {
  const base = `postgres://postgres@127.0.0.1:${port}`;
  const client = new pg.Client(`${base}/postgres`);
  await client.connect();
  await client.query('CREATE DATABASE parley');
  await client.end();
  return `${base}/parley`;
}

async function measureRound() {
  let before = 0;
  const lag = monitorEventLoopDelay({ resolution: 1 });
  const { perSecond, cpuUs } = await deliver(server, agents, events, () => {
    if (isOnPostgres) before = cpuMsOfGroup(pid);
    lag.enable();
  });
  lag.disable();
  const serverCpuUs = isOnPostgres ? ((cpuMsOfGroup(pid) - before) * 1000) / events : 0;
  return { perSecond, cpuUs, serverCpuUs, lagMs: lag.percentile(99) / 1e6 };
}

serveParent({}, measureRound, () => server.finish());
