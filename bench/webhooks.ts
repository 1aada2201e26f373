/**
 * Measures webhook deliveries per second against the bare HTTP client, with the same bodies and receiver in the same run.
 *
 *   npm run bench:webhooks [-- --quick]
 *
 * A round of parley starts with a backlog written in one transaction, and ends when the last attempt is recorded durably
 * (`synchronous=FULL`). There are 32 agents with a URL each, and every event is about a contact of its own, so up to eight deliveries go
 * to a URL at a time. The bare client has 32 connections.
 */
import { setTimeout } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { emptyObject } from '../src/base/json.ts';
import { installation, transact } from '../src/db/transaction.ts';
import { type Call, plainOutcome } from '../src/features/calls/call.ts';
import { callEnded } from '../src/features/calls/events.ts';
import { callCompletedBody } from '../src/features/webhooks/payload.ts';
import { type Child, startChild } from './support/child.ts';
import { medians, quick, report } from './support/report.ts';
import { makeAgent, type Server, startServer } from './support/server.ts';

const endpoints = 32;
const events = quick ? 5000 : 20_000;
const rounds = quick ? 3 : 5;

type Measured = { perSecond: number; cpuUs: number };

async function measured(run: () => Promise<void>): Promise<Measured> {
  const cpu = process.cpuUsage();
  const startedAt = performance.now();
  await run();
  const seconds = (performance.now() - startedAt) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  return { perSecond: events / seconds, cpuUs: (user + system) / events };
}

/** An ended call whose event has about 3 KB. */
function endedCall(server: Server, agentId: string): Call {
  const { app, orgId } = server;
  const now = app.clock.now();
  const line = 'I would like to find a time for a short meeting with you, perhaps on Thursday at ten.';
  return {
    id: app.ids.make(),
    orgId,
    agentId,
    agentName: 'Robin',
    phoneNumberId: app.ids.make(),
    campaignId: null,
    contactId: app.ids.make(),
    campaignContactId: null,
    attempt: 1,
    from: '+493090182000',
    to: '+493090182001',
    callerName: 'Ada Example',
    callerEmail: 'ada@example.com',
    channel: 'voice',
    metadata: emptyObject,
    maxDurationMs: 3_600_000,
    state: 'ended',
    ...plainOutcome('completed', { disconnectReason: 'customer_hangup', summary: line }),
    hangupRequested: false,
    durationSec: 42,
    transcripts: Array.from({ length: 9 }, (_, index) => ({
      id: app.ids.make(),
      timestamp_ms: index * 4000,
      role: index % 2 === 0 ? 'agent' : 'user',
      message: { content: line, format: 'text' },
      created_at: new Date(now).toISOString(),
    })),
    createdAt: now,
    turnAt: null,
    handedOverAt: null,
    startedAt: now,
    answeredAt: now,
    endedAt: now,
  };
}

/** Writes the backlog in one transaction, so nothing is sent before all of it is there. */
async function writeEvents(server: Server, agents: readonly string[]): Promise<void> {
  const { app } = server;
  await transact(app.db, installation, async (tx) => {
    for (let index = 0; index < events; index++) {
      const call = endedCall(server, agents[index % agents.length]!);
      await app.events.emit(app, tx, callEnded, { call, invalidNumber: false });
    }
  });
}

async function delivered(server: Server, before: number): Promise<void> {
  while ((server.runner.ran().get('webhook.deliver') ?? 0) < before + events) await setTimeout(2);
}

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
  const bare = await measured(() => postBare(`${url}/bare`, body, agent));
  await checkReceived(receiver, 'bare');
  const before = server.runner.ran().get('webhook.deliver') ?? 0;
  const written = await measured(() => writeEvents(server, agents));
  const parley = await measured(() => delivered(server, before));
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
