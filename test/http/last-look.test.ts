// Long: each change has a server of its own.
import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { transact } from '../../src/db/transaction.ts';
import { updateContact } from '../../src/features/contacts/service.ts';
import { tick } from '../../src/features/campaigns/dialing/dialer.ts';
import { updateOrganization } from '../../src/features/organizations/service.ts';
import { requestRunningServer } from '../../src/main/control/client.ts';
import { aContact, aPhone } from '../support/fixtures.ts';
import { propertyRuns } from '../support/property-runs.ts';
import { dataOf, startTestServer, type TestServer } from '../support/server.ts';
import { sqliteAlone } from '../support/store.ts';
import {
  createCallingOrg,
  advanceTo,
  type CampaignContact,
  type CallingOrg,
  isBalanced,
  newCallingOrg,
  nowOf,
} from './calling-support.ts';
import { httpSettings } from './http-carrier-support.ts';
import { type Reply, voiceRuntime, type VoiceRuntime } from './voice-runtime.ts';

const second = 1000;
const minute = 60 * second;

type Outage = { name: string; reply: Reply };
/** Ways in which a carrier is out of reach without taking the call. */
const outages: readonly Outage[] = [
  { name: 'answers 429', reply: { status: 429 } },
  { name: 'answers 503', reply: { status: 503 } },
  { name: 'cuts the connection', reply: 'cut' },
];

type Bench = { server: TestServer; org: CallingOrg; runtime: VoiceRuntime; dialed: () => string[] };

/** A server with the http carrier, whose runtime is out of reach, and an organization that can call. */
async function benchInOutage(t: TestContext, { reply }: Outage): Promise<Bench> {
  const runtime = await voiceRuntime(t);
  runtime.onDial(() => ({ reply, takes: false }));
  const server = await startTestServer({ settings: httpSettings(runtime.url) });
  t.after(() => server.stop());
  const dialed = (): string[] => runtime.dials().map(({ text }) => (JSON.parse(text) as { to: string }).to);
  return { server, org: await newCallingOrg(server), runtime, dialed };
}

/** Changes after which a contact that was tried a moment ago must not be dialed, and the status that the contact then gets. */
const changes: ReadonlyArray<{
  name: string;
  make(bench: Bench, campaignId: string, phone: string): Promise<unknown>;
  status: string;
}> = [
  {
    name: 'its number is put on the do-not-call list',
    make: async ({ org }, _id, phone) => dataOf(await org.client.post('/do-not-call', { phone })),
    status: 'cancelled',
  },
  {
    name: 'the contact is flagged do_not_call',
    make: async ({ org }, id) => {
      const [contact] = await org.contacts(id);
      return dataOf(await org.client.patch(`/contacts/${contact!.contact_id}`, { do_not_call: true }));
    },
    status: 'cancelled',
  },
  {
    name: 'the campaign is paused',
    make: ({ org }, id) => org.patch(id, { status: 'paused' }),
    status: 'pending',
  },
  {
    name: 'the campaign is completed',
    make: ({ org }, id) => org.patch(id, { status: 'completed' }),
    status: 'expired',
  },
  {
    name: 'the agent becomes INACTIVE',
    make: async ({ org }) => dataOf(await org.client.put(`/agents/${org.agentId}`, { status: 'INACTIVE' })),
    status: 'pending',
  },
  {
    name: 'the calling window closes',
    make: ({ org }, id) => org.patch(id, { schedule: { windowStart: '20:00', windowEnd: '21:00' } }),
    status: 'pending',
  },
  {
    name: 'the end of the campaign comes',
    make: ({ org }, id) => org.patch(id, { schedule: { end: '2026-03-02T09:00:03Z' } }),
    status: 'expired',
  },
];

for (const [index, outage] of outages.entries()) {
  test(`a runtime that ${outage.name} is not tried again with a contact that may not be called any more`, async (t) => {
    const tried = index === 0 ? changes : changes.slice(0, propertyRuns({ few: 2, all: changes.length }));
    for (const { name, make, status } of tried) {
      const bench = await benchInOutage(t, outage);
      const phone = aPhone();
      const { id } = await bench.org.run([phone]);
      assert.deepEqual(bench.dialed(), [phone], name);
      await make(bench, id, phone);
      bench.runtime.onDial(() => undefined);
      await bench.server.advance(10 * minute);
      assert.deepEqual(bench.dialed(), [phone], `nobody is dialed after ${name}`);
      const [contact] = await bench.org.contacts(id);
      assert.deepEqual([contact!.status, contact!.attempt_count, contact!.last_attempted_at], [status, 0, null], name);
      assert.ok(isBalanced(await bench.org.stats(id)), name);
      assert.deepEqual(await bench.org.calls(), [], 'the attempt was never made');
    }
  });
}

test('a call that the runtime took without an answer is hung up when it may not ring any more', async (t) => {
  // The end of the campaign comes after the question.
  const tried = changes.slice(0, propertyRuns({ few: 3, all: changes.length - 1 }));
  for (const { name, make } of tried) {
    const bench = await benchInOutage(t, outages[2]!);
    bench.runtime.onDial(() => ({ reply: 'cut', takes: true }));
    const phone = aPhone();
    const { id } = await bench.org.run([phone]);
    const [callId] = [...bench.runtime.known.keys()];
    await make(bench, id, phone);
    await bench.server.advance(minute);
    assert.deepEqual([bench.runtime.asked, bench.runtime.hungUp, bench.dialed()], [[callId], [callId], [phone]], name);
  }
});

test('a call that the runtime took without an answer goes on when it may still ring', async (t) => {
  const bench = await benchInOutage(t, outages[2]!);
  bench.runtime.onDial(() => ({ reply: 'cut', takes: true }));
  await bench.org.run([aPhone()]);
  await bench.server.advance(minute);
  assert.deepEqual([bench.runtime.asked.length, bench.runtime.hungUp.length], [1, 0]);
});

test(
  'an attempt that was written before a restart is not dialed after the end of its campaign',
  { skip: sqliteAlone('it copies the files as a crash leaves them') },
  async (t) => {
    const runtime = await voiceRuntime(t);
    const directories = [0, 1].map(() => mkdtempSync(join(tmpdir(), 'parley-look-')));
    const [data, left] = directories as [string, string];
    const settings = httpSettings(runtime.url);
    const first = await startTestServer({ data, settings, testClock: '2026-03-02T09:00:00Z' });
    t.after(() => {
      for (const path of directories) rmSync(path, { recursive: true, force: true });
    });
    const org = await createCallingOrg(first);
    const { id } = await org.run([aPhone()], {
      schedule: { start: '2026-03-02T09:01:00Z', end: '2026-03-02T09:10:00Z' },
    });
    const { app } = first.running;
    await transact(app.db, org.client.orgId, async (tx) => {
      await tx.updateTable('campaigns').set({ starts_at: null }).where('id', '=', id).execute();
      await tick(app, tx, id);
    });
    // The attempt is committed, and the runner has not read it yet. A crash at this moment would leave the data like this copy.
    cpSync(data, left, { recursive: true });
    assert.equal(runtime.dials().length, 0);
    await first.stop();
    const sent = runtime.dials().length;
    const after = await startTestServer({ data: left, settings, testClock: '2026-03-02T09:10:05Z' });
    t.after(() => after.stop());
    await after.advance(minute);
    assert.equal(runtime.dials().length, sent, 'nobody is dialed after the end');
    const [contact] = dataOf(await after.get<CampaignContact[]>(`/campaigns/${id}/contacts`));
    assert.deepEqual([contact!.status, contact!.attempt_count], ['expired', 0]);
  },
);

test('an attempt that waits to be sent is not dialed after its contact has lost its phone', async (t) => {
  const runtime = await voiceRuntime(t);
  const server = await startTestServer({ settings: httpSettings(runtime.url), testClock: '2026-03-02T09:00:00Z' });
  t.after(() => server.stop());
  const org = await createCallingOrg(server);
  const { orgId } = org.client;
  const { app } = server.running;
  const { id } = await org.run([aPhone()], { schedule: { start: '2026-03-02T10:00:00Z' } });
  const [contact] = await org.contacts(id);
  await transact(app.db, orgId, async (tx) => {
    await tx.updateTable('campaigns').set({ starts_at: null }).where('id', '=', id).execute();
    await tick(app, tx, id); // writes the attempt, which is sent after the commit
    await updateContact(app, orgId, contact!.contact_id!, { phone: null, email: 'ada@example.com' });
  });
  await server.advance(minute);
  assert.deepEqual(runtime.dials(), []);
  const [left] = await org.contacts(id);
  assert.deepEqual([left!.status, left!.attempt_count], ['cancelled', 0]);
});

test('a campaign whose runtime refuses connections for 20 s calls everybody in the end', async (t) => {
  const gone = await voiceRuntime(t);
  await gone.close();
  const server = await startTestServer({ settings: httpSettings(gone.url) });
  t.after(() => server.stop());
  const org = await newCallingOrg(server);
  const phones = Array.from({ length: 60 }, () => aPhone());
  const { id } = await org.run(phones, { maxCps: 10, schedule: { maxConcurrent: 60 } });
  await server.advance(20 * second);
  const stats = await org.stats(id);
  assert.deepEqual([stats.pending, stats.failed, isBalanced(stats)], [60, 0, true]);
  const back = await voiceRuntime(t, { port: gone.port });
  await server.advance(minute);
  assert.equal(new Set([...back.known.values()].map(({ to }) => to)).size, 60);
  for (const callId of back.known.keys())
    await back.report(callId, nowOf(server), { type: 'ended', status: 'completed' });
  const { status, contactStats } = await org.read(id);
  assert.deepEqual([status, contactStats.contacted, contactStats.failed], ['completed', 60, 0]);
  assert.deepEqual(new Set((await org.contacts(id)).map((contact) => contact.attempt_count)), new Set([1]));
});

test('a carrier out of reach is tried again after 5 s, then after twice as long each time, up to 5 minutes', async (t) => {
  const { server, org, dialed } = await benchInOutage(t, outages[2]!);
  const start = nowOf(server);
  const tries: number[] = [];
  const { id } = await org.run([aPhone(), aPhone()], { schedule: { maxConcurrent: 1 } });
  let seen = 0;
  for (let passed = 0; passed <= 1300; passed += 5) {
    if (dialed().length > seen) tries.push((nowOf(server) - start) / second);
    assert.ok(dialed().length - seen <= 1, 'one call probes');
    seen = dialed().length;
    await server.advance(5 * second);
  }
  assert.deepEqual(tries, [0, 5, 15, 35, 75, 155, 315, 615, 915, 1215]);
  const phones = dialed();
  assert.notEqual(phones[0], phones[1], 'the probe takes the next contact');
  assert.deepEqual(
    (await org.contacts(id)).map((contact) => [contact.status, contact.attempt_count]),
    [
      ['pending', 0],
      ['pending', 0],
    ],
  );
});

test('a contact for which the carrier is out of reach three times while others get through has failed', async (t) => {
  const { server, org, runtime, dialed } = await benchInOutage(t, outages[1]!);
  const [unreachable, ...others] = [aPhone(), aPhone(), aPhone(), aPhone(), aPhone()] as const;
  runtime.onDial(({ to }) => (to === unreachable ? { reply: { status: 503 }, takes: false } : undefined));
  const { id } = await org.run([unreachable, ...others], { schedule: { maxConcurrent: 1 } });
  for (let round = 0; round < 20; round += 1) {
    await server.advance(5 * second);
    for (const callId of runtime.known.keys()) {
      await runtime.report(callId, nowOf(server), { type: 'ended', status: 'completed' });
    }
  }
  const contacts = await org.contacts(id);
  assert.deepEqual(
    contacts.map(({ status, attempt_count: attempts }) => [status, attempts]),
    [['failed', 1], ...others.map(() => ['completed', 1])],
  );
  assert.match(contacts[0]!.error_message!, /503/);
  assert.equal(dialed().filter((phone) => phone === unreachable).length, 3);
  assert.equal((await org.read(id)).status, 'completed');
});

/** Changes after which the retries of a campaign are decided anew. */
const rescheduling: Record<string, (org: CallingOrg, campaignId: string) => Promise<unknown>> = {
  'its retry gap changes': (org, id) => org.patch(id, { schedule: { retryGapMin: 2 } }),
  'the limits of calls change': async (org) =>
    dataOf(await org.client.patch('/organization', { contact_limits: { max_per_day: 5 } })),
  'the zone of the contact changes': async (org, id) => {
    const [contact] = await org.contacts(id);
    return dataOf(await org.client.patch(`/contacts/${contact!.contact_id}`, { timezone: 'Europe/Berlin' }));
  },
  'the campaign is completed and reopened': async (org, id) => {
    await org.patch(id, { status: 'completed' });
    await org.patch(id, { status: 'active' });
  },
};

for (const [change, make] of Object.entries(rescheduling)) {
  test(`a contact for which the carrier was out of reach still waits 5 s for it when ${change}`, async (t) => {
    const { server, org, runtime, dialed } = await benchInOutage(t, outages[0]!);
    runtime.onDial(() => undefined);
    const { id } = await org.run([aPhone()], { schedule: { retryAttempts: 1, retryGapMin: 3 } });
    const [callId] = [...runtime.known.keys()];
    await runtime.report(callId!, nowOf(server), { type: 'ended', status: 'no_answer' });
    runtime.onDial(() => ({ reply: { status: 429 }, takes: false }));
    await server.advance(3 * minute);
    assert.equal(dialed().length, 2);
    await make(org, id);
    await server.advance(2 * second);
    // Decided anew once more, a wait of which the end is known does not begin again.
    if (change !== 'the campaign is completed and reopened') await org.patch(id, { schedule: { retryGapMin: 1 } });
    await server.advance(2999);
    assert.equal(dialed().length, 2, 'it waits');
    await server.advance(1);
    assert.equal(dialed().length, 3, 'it does not wait for longer than it has to');
  });
}

/** How guard hours come to hold back a contact for which the carrier was out of reach a second ago. */
const holds: ReadonlyArray<{ name: string; close(bench: Bench, campaignId: string): Promise<unknown> }> = [
  {
    name: 'when its wait for the carrier is over',
    close: ({ org }) => org.client.patch('/organization', { guard_hours: { start: '20:00', end: '21:00' } }),
  },
  {
    name: 'directly before its dial',
    close: ({ server: { running }, org: { client } }, id) =>
      transact(running.app.db, client.orgId, async (tx) => {
        await tx.updateTable('campaign_contacts').set({ next_retry_at: null }).where('campaign_id', '=', id).execute();
        await tick(running.app, tx, id);
        const guardHours = { start: '20:00', end: '21:00', days: [1, 2, 3, 4, 5, 6, 7] };
        await updateOrganization(running.app, client.orgId, { guardHours });
      }),
  },
];

for (const { name, close } of holds) {
  test(`a contact that waited for the carrier, and is held back ${name}, goes on once the limit is lifted`, async (t) => {
    const bench = await benchInOutage(t, outages[0]!);
    const { server, org, runtime, dialed } = bench;
    const { id } = await org.run([aPhone()]);
    await server.advance(second);
    await close(bench, id);
    runtime.onDial(() => undefined);
    await server.advance(minute);
    assert.equal(dialed().length, 1);
    const [contact] = await org.contacts(id);
    const { data: why } = (
      await org.client.get<{ id: string; reason_codes: string[]; next_attempt_at: string }>(
        `/campaigns/${id}/contacts/${contact!.contact_id}/why`,
      )
    ).body;
    assert.deepEqual([why.reason_codes, why.next_attempt_at], [['guard_hours'], '2026-03-02T19:00:00.000Z']);
    dataOf(await org.client.patch('/organization', { guard_hours: null }));
    await server.advance(second);
    assert.equal(dialed().length, 2);
  });
}

test('a call that the runtime took although it answered 503 is not dialed twice', async (t) => {
  const { server, org, runtime, dialed } = await benchInOutage(t, outages[1]!);
  runtime.onDial(() => ({ reply: { status: 503 }, takes: true }));
  const { id } = await org.run([aPhone(), aPhone()]);
  await server.advance(minute);
  assert.deepEqual([new Set(dialed()).size, dialed().length], [2, 2]);
  for (const callId of runtime.known.keys()) {
    await runtime.report(callId, nowOf(server), { type: 'ended', status: 'completed' });
  }
  assert.equal((await org.stats(id)).contacted, 2);
});

test('an attempt stays in progress as long as the runtime cannot be asked about its call', async (t) => {
  const { server, org, runtime, dialed } = await benchInOutage(t, outages[1]!);
  const phone = aPhone();
  runtime.onOther(() => ({ status: 500 }));
  const { id } = await org.run([phone]);
  await server.advance(10 * minute);
  assert.deepEqual([dialed(), (await org.contacts(id))[0]!.status], [[phone], 'in_progress']);
  runtime.onOther(() => undefined);
  runtime.onDial(() => undefined);
  await server.advance(10 * minute);
  assert.deepEqual(dialed(), [phone, phone]);
  assert.deepEqual((await org.contacts(id))[0]!.attempt_count, 1);
});

test('why, plan, doctor, metrics and a notice say that a carrier is out of reach', async (t) => {
  const { server, org, runtime } = await benchInOutage(t, outages[2]!);
  const { id } = await org.run([aPhone()]);
  const [contact] = await org.contacts(id);
  await server.advance(second);
  const why = dataOf(
    await org.client.get<{ id: string; reasons: string[]; next_attempt_at: string }>(
      `/campaigns/${id}/contacts/${contact!.contact_id}/why`,
    ),
  );
  const reason = `The carrier of ${org.phone} is out of reach: The connection to`;
  assert.deepEqual(
    why.reasons.map((each) => each.slice(0, reason.length)),
    [reason, 'The carrier was out of reach when the contact was last called.'],
  );
  assert.equal(why.next_attempt_at, '2026-03-02T09:00:06.000Z');
  const plan = await org.client.get<{ id: string; openings: Array<{ opens_at: string }> }>(`/campaigns/${id}/plan`);
  assert.match(plan.body.message, /out of reach.*The connection to/);
  assert.equal(plan.body.data.openings[0]!.opens_at, '2026-03-02T09:00:05.000Z');
  const metrics = async (): Promise<string> => (await server.get('//metrics')).text;
  assert.match(await metrics(), /^parley_carrier_paused_numbers 1$/m);
  assert.match(await metrics(), /^parley_carrier_failures_total 1$/m);
  const notices = async (): Promise<Array<Record<string, unknown>>> =>
    dataOf(await org.client.get<Array<Record<string, unknown>>>('/notices'));
  await server.advance(minute - second - 1);
  assert.deepEqual(await notices(), []);
  await server.advance(1);
  const [notice, ...others] = await notices();
  assert.deepEqual([notice!['kind'], others], ['carrier.out_of_reach', []]);
  assert.match(
    String(notice!['body']),
    new RegExp(`\\${org.phone}, since 2026-03-02T09:00:00.000Z.*The connection to`),
  );

  runtime.onDial(() => undefined);
  await server.advance(10 * minute);
  assert.match(await metrics(), /^parley_carrier_paused_numbers 0$/m);
  assert.equal((await notices()).length, 1);
});

test('a pause of the carrier survives a restart', async (t) => {
  const data = mkdtempSync(join(tmpdir(), 'parley-look-'));
  const runtime = await voiceRuntime(t);
  const settings = httpSettings(runtime.url);
  runtime.onDial(() => ({ reply: 'cut', takes: false }));
  const first = await startTestServer({ data, settings, testClock: '2026-03-02T09:00:00Z' });
  const org = await createCallingOrg(first);
  await org.run([aPhone(), aPhone()]);
  await first.advance(20 * second);
  const tries = runtime.dials().length;
  const findings = (await requestRunningServer(data, { task: 'doctor', args: {} }))?.result as Array<
    Record<string, string>
  >;
  const { status, message } = findings.find(({ check }) => check === 'calls')!;
  assert.equal(status, 'warn');
  assert.match(message!, new RegExp(`\\${org.phone} since 2026-03-02T09:00:00.000Z`));
  await first.stop();
  const after = await startTestServer({ data, settings, testClock: '2026-03-02T09:00:20Z' });
  t.after(async () => {
    await after.stop();
    rmSync(data, { recursive: true, force: true });
  });
  await after.advance(15 * second - 1);
  assert.equal(runtime.dials().length, tries);
  await after.advance(1);
  assert.equal(runtime.dials().length, tries + 1);
});

test('a single call is checked again, too: whoever opts out while the carrier is out of reach is not dialed', async (t) => {
  const { server, org, runtime, dialed } = await benchInOutage(t, outages[0]!);
  const to = aPhone();
  const contact = await aContact(org.client, { phone: to });
  const body = { agent_id: org.agentId, from: org.phone, to, contact_id: contact.id };
  dataOf(await org.client.post('/calls', body));
  await server.advance(0);
  assert.deepEqual(dialed(), [to]);
  dataOf(await org.client.post('/do-not-call', { phone: to }));
  runtime.onDial(() => undefined);
  await server.advance(minute);
  assert.deepEqual(dialed(), [to]);
  const [call] = await org.calls();
  assert.deepEqual([call!.status, call!.error_message], ['failed', 'On the do-not-call list.']);
});

test('single calls that waited for their carrier start no faster than their number allows', async (t) => {
  const { server, org, runtime } = await benchInOutage(t, outages[0]!);
  dataOf(await org.client.patch(`/phone-numbers/${org.numberId}`, { max_cps: 2 }));
  const body = { agent_id: org.agentId, from: org.phone };
  for (let one = 0; one < 6; one += 1) dataOf(await org.client.post('/calls', { ...body, to: aPhone() }));
  await server.advance(3 * second);
  runtime.onDial(() => undefined);
  await server.advance(30 * second);
  const started = (await org.calls()).map((call) => Temporal.Instant.from(call.started_at!).epochMilliseconds);
  const ordered = started.toSorted((a, b) => a - b);
  assert.equal(runtime.known.size, 6);
  for (const [index, at] of ordered.entries())
    if (index >= 2) assert.ok(at - ordered[index - 2]! >= 1000, ordered.join());
});

test('if retryAttempts is lowered or retryOn shortened, waiting retries that are no longer allowed end with their last outcome', async (t) => {
  const server = await startTestServer();
  t.after(() => server.stop());
  const org = await newCallingOrg(server);
  const schedule = { retryAttempts: 2, retryGapMin: 60 };
  const { id } = await org.run([aPhone('02'), aPhone('03'), aPhone('04')], { schedule });
  await advanceTo(server, '2026-03-02T09:01:00Z');
  assert.deepEqual(
    (await org.contacts(id)).map(({ status }) => status),
    ['pending', 'pending', 'pending'],
  );
  await org.patch(id, { retryOn: ['no_answer', 'voicemail'] });
  assert.deepEqual(
    (await org.contacts(id)).map(({ status }) => status),
    ['busy', 'pending', 'pending'],
  );
  await org.patch(id, { schedule: { retryAttempts: 0 } });
  assert.deepEqual(
    (await org.contacts(id)).map(({ status, next_retry_at: next }) => [status, next]),
    [
      ['busy', null],
      ['no_answer', null],
      ['voicemail', null],
    ],
  );
  const { status, contactStats } = await org.read(id);
  assert.deepEqual([status, contactStats.noAnswer, isBalanced(contactStats)], ['completed', 3, true]);
  await server.advance(3 * 60 * minute);
  assert.equal((await org.calls()).length, 3);
});

test('a runtime that fails one dial in five does not stop a campaign', async (t) => {
  const { server, org, runtime, dialed } = await benchInOutage(t, outages[1]!);
  const seen = new Set<string>();
  runtime.onDial(({ to }) => {
    const isFirst = !seen.has(String(to));
    seen.add(String(to));
    return isFirst && seen.size % 5 === 0 ? { reply: { status: 503 }, takes: false } : undefined;
  });
  const phones = Array.from({ length: 40 }, () => aPhone());
  const { id } = await org.run(phones, { maxCps: 10, schedule: { maxConcurrent: 100 } });
  await server.advance(4 * second);
  assert.equal(new Set(dialed()).size, 40, 'ten a second, as without failures');
  assert.match((await server.get('//metrics')).text, /^parley_carrier_paused_numbers 0$/m);
  await server.advance(10 * second);
  assert.deepEqual([runtime.known.size, dialed().length], [40, 48], 'the eight are dialed once more');
  assert.equal((await org.stats(id)).failed, 0);
});

test('a number pauses once the runtime has failed three dials in a row, and begins to count anew', async (t) => {
  const { server, org, dialed } = await benchInOutage(t, outages[0]!);
  await org.run([aPhone(), aPhone(), aPhone(), aPhone(), aPhone()], { maxCps: 1, schedule: { maxConcurrent: 9 } });
  await server.advance(2 * second - 1);
  assert.match((await server.get('//metrics')).text, /^parley_carrier_paused_numbers 0$/m);
  await server.advance(1);
  assert.match((await server.get('//metrics')).text, /^parley_carrier_paused_numbers 1$/m);
  await server.advance(5 * second - 1);
  assert.equal(dialed().length, 3);
  await server.advance(1);
  assert.deepEqual([dialed().length, new Set(dialed()).size], [4, 4], 'the probe takes the next contact');
});

test('a contact that a runtime does not take is not dialed again for 5 s, then for twice as long each time', async (t) => {
  const { server, org, runtime } = await benchInOutage(t, outages[0]!);
  const start = nowOf(server);
  const tries: number[] = [];
  runtime.onDial(() => {
    tries.push((nowOf(server) - start) / second);
    return { reply: { status: 429 }, takes: false };
  });
  const { id } = await org.run([aPhone()]);
  await server.advance(80 * second);
  assert.deepEqual(tries, [0, 5, 15, 35, 75]);
  const [contact] = await org.contacts(id);
  assert.deepEqual([contact!.status, contact!.attempt_count], ['pending', 0]);
  const listed = await org.client.get<Array<{ id: string; contact_id: string }>>(
    `/campaigns/${id}/contacts?sort=last_attempt`,
  );
  assert.deepEqual(
    listed.body.data.map((each) => each.contact_id),
    [contact!.contact_id],
  );
});
