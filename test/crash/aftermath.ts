import assert from 'node:assert/strict';
import type { Receipt } from './receiver.ts';
import { inspect, isRecurring } from './invariants.ts';
import type { Served } from './server.ts';
import { aWhile, until } from './waiting.ts';
import type { Begun, World } from './world.ts';
import type { Written } from './writer.ts';

/** Figures of a scenario, printed so that a reader sees how much work the server really did. */
export type Summary = { calls: number; unknownFate: number; events: number; sentTwice: number; written: number };

type Call = {
  call_id: string;
  campaign_id: string | null;
  phone: string;
  attempt: number;
  state: string;
  status: string;
  error_message: string | null;
};
type CampaignContact = { phone: string; status: string; attempt_count: number; call_session_id: string | null };
type Campaign = { status: string; contactStats: Record<string, number> };

/** Retries come a minute later; everything else takes seconds. */
const settleLimitMs = 240_000;

const unknownFate = /server stopped while dialing and the carrier does not know/;

/** Lets the last server process finish all work, checks all records against each other, and kills it. */
export async function settle(world: World, begun: Begun, limitMs = settleLimitMs): Promise<Summary> {
  const summary = await finish(world, begun, limitMs);
  const { driver, server } = world;
  await server.kill();
  const written = begun.writers.map((writer) => writer.written);
  inspect(server.data, { simulated: driver === 'simulated', written, done: true });
  return summary;
}

/** Lets the server finish all work, and checks the records of server, receiver and runtime against each other. */
export async function finish(world: World<Served>, begun: Begun, limitMs = settleLimitMs): Promise<Summary> {
  const { client, receiver, runtime } = world;
  const { target, sentinelId, writers } = begun;
  for (const writer of writers) await writer.stop();
  receiver.behave();
  runtime.behave();
  await client.ask('DELETE', `/campaigns/${target.campaignId}/contacts/${sentinelId}`);
  await until(limitMs, 'the end of all work', () => isDone(world, target.campaignId), aWhile);

  const calls = await client.all<Call>('/calls');
  assert.deepEqual([...receiver.faults, ...runtime.faults], []);
  await checkCampaign(world, target.campaignId, calls);
  checkEvents([...receiver.receipts.values()], calls);
  if (world.driver === 'http') checkConversations(world, calls);
  const written = writers.map((writer) => writer.written);
  return {
    calls: calls.length,
    unknownFate: calls.filter((call) => unknownFate.test(call.error_message ?? '')).length,
    events: receiver.receipts.size,
    sentTwice: [...receiver.receipts.values()].filter(({ times }) => times > 1).length,
    written: written.reduce((sum, one) => sum + sizeOf(one), 0),
  };
}

const sizeOf = ({ contacts, notes, campaignContacts, calls }: Written): number =>
  contacts.size + notes.size + campaignContacts.size + calls.size;

async function isDone({ client, runtime }: World<Served>, campaignId: string): Promise<boolean> {
  const total = async (path: string): Promise<number> => {
    const answer = await client.once('GET', `${path}&limit=1`);
    return answer === 'unknown' ? Number.NaN : answer.total;
  };
  type Endpoint = { id: string; status: string };
  for (const { id } of await client.ask<Endpoint[]>('GET', '/webhooks/endpoints')) {
    await client.ask('POST', `/webhooks/endpoints/${id}/retry-failed`); // otherwise the next attempt comes 30 s later at the earliest
  }
  return (
    (await client.ask<Campaign>('GET', `/campaigns/${campaignId}`)).status === 'completed' &&
    runtime.taken.size === runtime.acknowledged.size &&
    // A call may have ended and its webhooks been delivered while a job still has to ask the carrier about a dial of unknown fate.
    (await client.queued()).every(isRecurring) &&
    (await total('/webhooks/deliveries?status=delivered')) === (await total('/webhooks/deliveries?'))
  );
}

/** The campaign's counters match its contacts, and no attempt made two calls. */
async function checkCampaign({ client }: World<Served>, campaignId: string, calls: readonly Call[]): Promise<void> {
  const { contactStats } = await client.ask<Campaign>('GET', `/campaigns/${campaignId}`);
  const campaignContacts = await client.all<CampaignContact>(`/campaigns/${campaignId}/contacts`);
  const having = (...statuses: string[]): number =>
    campaignContacts.filter(({ status }) => statuses.includes(status)).length;
  const { successful, ...counted } = contactStats;
  assert.deepEqual(counted, {
    total: campaignContacts.length,
    contacted: having('completed'),
    failed: having('failed', 'cancelled', 'expired'),
    noAnswer: having('no_answer', 'busy', 'voicemail'),
    pending: 0,
    inProgress: 0,
  });
  assert.ok(successful! <= contactStats['contacted']!);

  assert.deepEqual(
    calls.filter(({ state }) => state !== 'ended'),
    [],
  );
  const ofCampaign = calls.filter((call) => call.campaign_id === campaignId);
  const attempts = Map.groupBy(ofCampaign, ({ phone, attempt }) => `attempt ${attempt} at ${phone}`);
  assert.deepEqual(
    [...attempts].filter(([, made]) => made.length > 1).map(([attempt]) => attempt),
    [],
  );
  const byPhone = Map.groupBy(ofCampaign, ({ phone }) => phone);
  for (const { phone, attempt_count: attemptCount, call_session_id: lastCall, status } of campaignContacts) {
    const made = (byPhone.get(phone) ?? []).toSorted((a, b) => a.attempt - b.attempt);
    assert.deepEqual(
      made.map(({ attempt }) => attempt),
      Array.from({ length: attemptCount }, (_, index) => index + 1),
      phone,
    );
    assert.equal(made.at(-1)?.call_id ?? null, lastCall);
    if (lastCall !== null) assert.equal(made.at(-1)!.status, status);
  }
}

/** Each URL got exactly one event per call, with the same id and bytes at every attempt, and accepted it at least once. */
function checkEvents(receipts: readonly Receipt[], calls: readonly Call[]): void {
  for (const [path, got] of Map.groupBy(receipts, (receipt) => receipt.path)) {
    const events = Map.groupBy(got, ({ callId }) => callId);
    assert.deepEqual(
      [...events].filter(([, ids]) => ids.length > 1).map(([callId]) => callId),
      [],
      `${path}: two events`,
    );
    for (const { call_id: callId, status } of calls) {
      const [event] = events.get(callId) ?? [];
      assert.ok(event, `${path} got no event for ${callId}`);
      assert.equal(event.bodies.size, 1, `${path} ${event.eventId}: the bytes differ between attempts`);
      assert.equal(event.taken, true, `${path} never accepted ${event.eventId}`);
      assert.equal(event.status, status);
    }
    assert.equal(events.size, calls.length, `${path} got events for unknown calls`);
  }
}

/** Calls that the voice runtime accepted ended as it reported; all others failed. */
function checkConversations({ runtime }: World<Served>, calls: readonly Call[]): void {
  for (const { call_id: callId, status } of calls) assert.equal(status, runtime.taken.get(callId) ?? 'failed', callId);
  const known = new Set(calls.map((call) => call.call_id));
  assert.deepEqual(
    [...runtime.taken.keys()].filter((callId) => !known.has(callId)),
    [],
    'the server does not know these calls',
  );
}
