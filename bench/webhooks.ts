/**
 * Measures webhook deliveries per second against the bare HTTP client, with the same bodies and receiver in the same run.
 *
 *   npm run bench:webhooks [-- --quick]
 *
 * A round of parley starts with a backlog written in one transaction, and ends when the last attempt is recorded durably
 * (`synchronous=FULL`). There are 32 agents with a URL each, and every event is about a contact of its own, so up to eight deliveries go
 * to a URL at a time. The bare client has 32 connections.
 */
import { Agent, request } from 'undici';
import { callCompletedBody } from '../src/features/webhooks/payload.ts';
import { type Child, startChild } from './support/child.ts';
import { medians, quick, report } from './support/report.ts';
import { deliver, endedCall, measured } from './support/deliveries.ts';
import { makeAgent, startServer } from './support/server.ts';

const endpoints = 32;
const events = quick ? 5000 : 20_000;
const rounds = quick ? 3 : 5;

async function postBare(url: string, body: string, agent: Agent): Promise<void> {
  let left = events;
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'bare',
    'webhook-id': '01939b9e-0000-7000-8000-000000000000',
    'webhook-timestamp': '1764000000',
    'webhook-signature': `v1,${'a'.repeat(44)}`,
  };
  const work = async (): Promise<void> => {
    while (left-- > 0) {
      const response = await request(url, { method: 'POST', headers, body, dispatcher: agent });
      await response.body.dump();
    }
  };
  await Promise.all(Array.from({ length: endpoints }, work));
}

async function checkReceived(receiver: Child, sender: string): Promise<void> {
  const { received, signed } = await receiver.figures();
  if (received !== events || signed !== events) {
    throw new Error(`${sender}: ${received} of ${events} arrived, ${signed} of them signed`);
  }
}

const receiver = await startChild('receiver.ts');
const url = `http://127.0.0.1:${receiver.ready['port']}`;
const server = await startServer();
const agents: string[] = [];
for (let index = 0; index < endpoints; index++) agents.push(await makeAgent(server, [`${url}/hooks/${index}`]));
const agent = new Agent({ connections: endpoints });
const body = callCompletedBody(endedCall(server, agents[0]!));

const measurements: Array<Record<'bare' | 'bareCpu' | 'parley' | 'parleyCpu' | 'written' | 'writtenCpu', number>> = [];
for (let round = 0; round <= rounds; round++) {
  const bare = await measured(events, () => postBare(`${url}/bare`, body, agent));
  await checkReceived(receiver, 'bare');
  const { written, delivered: parley } = await deliver(server, agents, events);
  await checkReceived(receiver, 'parley');
  if (round === 0) continue; // the first round is a warm-up
  measurements.push({
    bare: bare.perSecond,
    bareCpu: bare.cpuUs,
    parley: parley.perSecond,
    parleyCpu: parley.cpuUs,
    written: written.perSecond,
    writtenCpu: written.cpuUs,
  });
}
await agent.close();
await server.finish();
await receiver.stop();

const m = medians(measurements);
const kilobytes = (Buffer.byteLength(body) / 1000).toFixed(1);
report(
  `webhooks: ${events} events of ${kilobytes} KB to ${endpoints} URLs, against undici's request`,
  [
    { what: 'deliveries per second', bare: m.bare, parley: m.parley, target: { atLeast: 0.4 } },
    { what: 'CPU per delivery', bare: m.bareCpu, parley: m.parleyCpu, unit: 'µs', target: { atMost: 2.5 } },
    { what: 'events written per second', parley: m.written },
    { what: 'CPU per event written', parley: m.writtenCpu, unit: 'µs' },
  ],
  [`medians of ${rounds} interleaved rounds in one process; the receiver runs in another`],
);
