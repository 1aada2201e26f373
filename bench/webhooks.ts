/**
 * Measures webhook deliveries per second against the bare HTTP client, with the same bodies and receiver in the same run, and events
 * written per second against bare SQLite inserts of the same rows.
 *
 *   npm run bench:webhooks [-- --quick] [-- --json] [-- --part=written|delivered]
 *
 * A round of parley starts with a backlog written in one transaction, and ends when the last attempt is recorded durably
 * (`synchronous=FULL`). There are 32 agents with a URL each, and every event is about a contact of its own, so up to eight deliveries go
 * to a URL at a time. The bare client has 32 connections.
 *
 * An event written is the row of the event, of its delivery and of its job. The bare side inserts rows read from parley's database with
 * prepared statements of better-sqlite3 into tables with the same indexes, without triggers and foreign keys; every COMMIT syncs.
 */
import { Agent, request } from 'undici';
import { callCompletedBody } from '../src/features/webhooks/payload.ts';
import { type Child, startChild } from './support/child.ts';
import { deliver, endedCall, measured } from './support/deliveries.ts';
import { measureWriting } from './support/event-writing.ts';
import { measureParts, medians, quick, ratiosOf, report, type Row } from './support/report.ts';
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

async function measureDelivering(): Promise<Row[]> {
  const receiver = await startChild('receiver.ts');
  const url = `http://127.0.0.1:${receiver.ready['port']}`;
  const server = await startServer();
  const agents: string[] = [];
  for (let index = 0; index < endpoints; index++) agents.push(await makeAgent(server, [`${url}/hooks/${index}`]));
  const agent = new Agent({ connections: endpoints });
  const body = callCompletedBody(endedCall(server, agents[0]!));
  const results: Array<Record<'bare' | 'bareCpu' | 'parley' | 'parleyCpu', number>> = [];
  for (let round = 0; round <= rounds; round++) {
    const bare = await measured(events, () => postBare(`${url}/bare`, body, agent));
    await checkReceived(receiver, 'bare');
    const parley = await deliver(server, agents, events);
    await checkReceived(receiver, 'parley');
    if (round === 0) continue; // the first round is a warm-up
    results.push({
      bare: bare.perSecond,
      bareCpu: bare.cpuUs,
      parley: parley.perSecond,
      parleyCpu: parley.cpuUs,
    });
  }
  await agent.close();
  await server.finish();
  await receiver.stop();
  const m = medians(results);
  const kilobytes = (Buffer.byteLength(body) / 1000).toFixed(1);
  return [
    {
      what: `deliveries per second of ${events} events of ${kilobytes} KB to ${endpoints} URLs`,
      bare: m.bare,
      parley: m.parley,
      ratios: ratiosOf(results, 'parley', 'bare'),
      target: { atLeast: 0.4 },
    },
    {
      what: 'CPU per delivery',
      bare: m.bareCpu,
      parley: m.parleyCpu,
      ratios: ratiosOf(results, 'parleyCpu', 'bareCpu'),
      unit: 'µs',
      target: { atMost: 2.5 },
    },
  ];
}

const parts: Readonly<Record<string, () => Promise<Row[]>>> = { written: measureWriting, delivered: measureDelivering };
const rows = (await measureParts(parts)).flat();
report("webhooks: events against bare inserts, deliveries against undici's request", rows, [
  'medians of interleaved rounds in one process; the receiver runs in another; ratios: median of all rounds (lowest to highest)',
]);
