import { setTimeout } from 'node:timers/promises';
import { emptyObject } from '../../src/base/json.ts';
import { installation, transact } from '../../src/db/transaction.ts';
import { type Call, plainOutcome } from '../../src/features/calls/call.ts';
import { callEnded } from '../../src/features/calls/events.ts';
import type { Server } from './server.ts';

export type Measured = { perSecond: number; cpuUs: number };

/** Events per second, and processor time of this process per event. */
export async function measured(events: number, run: () => void | Promise<void>): Promise<Measured> {
  const cpu = process.cpuUsage();
  const startedAt = performance.now();
  await run();
  const seconds = (performance.now() - startedAt) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  return { perSecond: events / seconds, cpuUs: (user + system) / events };
}

/** Writes a backlog of events, one agent after the other, and measures its delivery. Each agent has one URL. */
export async function deliver(
  server: Server,
  agents: readonly string[],
  events: number,
  onWritten?: () => void,
): Promise<Measured> {
  const before = deliveriesOf(server);
  await writeEvents(server, agents, events);
  onWritten?.();
  return measured(events, async () => {
    while (deliveriesOf(server) < before + events) await setTimeout(2);
  });
}

const deliveriesOf = (server: Server): number => server.runner.ran().get('webhook.deliver') ?? 0;

/** An ended call whose event has about 3 KB. */
export function endedCall(server: Server, agentId: string): Call {
  const { app, orgId } = server;
  const now = app.clock.now();
  const line = 'I would like to find a time for a short meeting with you, perhaps on Thursday at ten.';
  return {
    id: app.ids.make(),
    orgId,
    agentId,
    agentName: 'Robin',
    agentEdition: null,
    phoneNumberId: app.ids.make(),
    campaignId: null,
    contactId: app.ids.make(),
    campaignContactId: null,
    attempt: 1,
    from: '+493090182000',
    to: '+493090182001',
    callerName: 'Ada Example',
    callerEmail: 'ada@example.com',
    driver: 'simulated',
    direction: 'outbound',
    sip: null,
    speech: null,
    simulate: null,
    forced: false,
    sendsEvent: true,
    channel: 'voice',
    metadata: emptyObject,
    maxDurationMs: 3_600_000,
    state: 'ended',
    ...plainOutcome('completed', { disconnectReason: 'customer_hangup', summary: line }),
    hangupRequested: false,
    ending: null,
    durationSec: 42,
    transcripts: Array.from({ length: 9 }, (_, index) => ({
      id: app.ids.make(),
      timestamp_ms: index * 4000,
      role: index % 2 === 0 ? 'agent' : 'user',
      message: { content: line, format: 'text' },
      created_at: new Date(now).toISOString(),
    })),
    createdAt: now,
    slotAt: null,
    handedOverAt: null,
    startedAt: now,
    answeredAt: now,
    endedAt: now,
  };
}

/** Writes the backlog in one transaction, so nothing is sent before all of it is there. */
async function writeEvents(server: Server, agents: readonly string[], events: number): Promise<void> {
  const { app } = server;
  await transact(app.db, installation, async (tx) => {
    for (let index = 0; index < events; index++) {
      const call = endedCall(server, agents[index % agents.length]!);
      await app.events.emit(app, tx, callEnded, { call, invalidNumber: false });
    }
  });
}
