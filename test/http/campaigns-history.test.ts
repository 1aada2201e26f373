import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { pauseEveryCampaign } from '../../src/features/campaigns/service.ts';
import { aPhone } from '../support/fixtures.ts';
import { type Data, dataOf, startTestServer } from '../support/server.ts';
import { advanceTo, type CallingOrg, isoAt, newCallingOrg, nowOf } from './calling-support.ts';
import { httpSettings } from './http-carrier-support.ts';
import { voiceRuntime } from './voice-runtime.ts';

/** The test clock starts on Monday, 2 March 2026, at 09:00 UTC. */
const server = await startTestServer();
after(() => server.stop());

type Event = {
  at: string;
  type: string;
  actor: { kind: string; id: string | null; name: string | null } | null;
  detail: Record<string, unknown>;
};

const pageOf = (org: CallingOrg, id: string, query = '') =>
  org.client.get<Event[] & Data>(`/campaigns/${id}/events${query}`);
/** Oldest first. */
const eventsOf = async (org: CallingOrg, id: string): Promise<Event[]> =>
  [...dataOf(await pageOf(org, id, '?limit=500'))].toReversed();
const typesOf = async (org: CallingOrg, id: string): Promise<string[]> =>
  (await eventsOf(org, id)).map(({ type }) => type);

test('the events of a campaign say what happened to it, when, and who did it', async () => {
  const org = await newCallingOrg(server);
  const { id } = await org.campaign();
  await org.add(id, [aPhone('00'), aPhone('00')]);
  await org.patch(id, { name: 'Summer', maxCps: 2, schedule: { retryAttempts: 1, timezone: 'Europe/Berlin' } });
  await org.patch(id, { name: 'Summer' });
  const [contact] = await org.contacts(id);
  dataOf(await org.client.del(`/campaigns/${id}/contacts/${contact!.id}`));
  await org.patch(id, { status: 'active' });
  await org.patch(id, { status: 'paused' });
  await org.patch(id, { status: 'active' });
  const startedAt = nowOf(server);
  await server.advance(60_000);
  const events = await eventsOf(org, id);
  assert.deepEqual(
    events.map(({ type, detail }) => [type, detail]),
    [
      ['created', {}],
      ['contacts_added', { added: 2, skipped: 0 }],
      ['edited', { fields: ['name', 'maxCps', 'schedule.timezone', 'schedule.retryAttempts'] }],
      ['contacts_removed', { removed: 1 }],
      ['activated', {}],
      ['paused', {}],
      ['resumed', {}],
      ['completed', { reason: 'nobody_left' }],
    ],
  );
  const [person, engine] = [events[0]!.actor!, events.at(-1)!.actor];
  assert.deepEqual([person.kind, engine], ['api_key', null]);
  const audit = dataOf(await org.client.get<Array<{ actor: Event['actor'] }> & Data>('/audit?limit=1'));
  assert.deepEqual(audit[0]!.actor, person, 'the actor is the audit log’s');
  assert.deepEqual(events.at(-2)!.at, isoAt(startedAt));
});

test('events are paged, newest first', async () => {
  const org = await newCallingOrg(server);
  const { id } = await org.campaign();
  for (const name of ['a', 'b', 'c']) await org.patch(id, { name });
  const page = await pageOf(org, id, '?limit=2&offset=1');
  assert.deepEqual(page.body.meta, { total: 4, limit: 2, offset: 1 });
  assert.deepEqual(
    dataOf(page).map(({ type }) => type),
    ['edited', 'edited'],
  );
  const last = dataOf(await pageOf(org, id, '?offset=3'));
  assert.deepEqual(
    last.map(({ type }) => type),
    ['created'],
  );
  assert.deepEqual(dataOf(await pageOf(org, id, '?offset=4')), []);
});

test('the calling window opens and closes while the campaign runs, in the zone of the campaign', async () => {
  const org = await newCallingOrg(server);
  const now = nowOf(server);
  const day = isoAt(now).slice(0, 10);
  const { id } = await org.campaign({
    schedule: { windowStart: '15:00', windowEnd: '17:00', timezone: 'Europe/Berlin' },
  });
  await org.add(id, [{ phone: aPhone('00'), timezone: 'America/New_York' }]);
  await org.patch(id, { status: 'active' });
  await advanceTo(server, `${day}T17:00:00Z`);
  const events = (await eventsOf(org, id)).filter(({ type }) => type.startsWith('window'));
  assert.deepEqual(
    events.map(({ at, type, actor }) => [at, type, actor]),
    [
      [`${day}T14:00:00.000Z`, 'window_opened', null],
      [`${day}T16:00:00.000Z`, 'window_closed', null],
    ],
  );
});

test('a paused campaign has no window events, and neither has one without hours', async () => {
  const org = await newCallingOrg(server);
  const { id } = await org.campaign({ schedule: { windowStart: '01:00', windowEnd: '02:00' } });
  await org.add(id, [{ phone: aPhone('00'), timezone: 'America/New_York' }]);
  const { id: always } = await org.campaign({ schedule: { start: isoAt(nowOf(server) + 60_000) } });
  await org.add(always, [aPhone('00'), aPhone('00')]);
  await org.patch(id, { status: 'active' });
  await org.patch(id, { status: 'paused' });
  await org.patch(always, { status: 'active' });
  await server.advance(86_400_000);
  assert.deepEqual(await typesOf(org, id), ['created', 'contacts_added', 'activated', 'paused']);
  assert.deepEqual(await typesOf(org, always), ['created', 'contacts_added', 'activated', 'completed']);
});

test('a window that is open at the start opens with it, and the end of the campaign closes none', async () => {
  const org = await newCallingOrg(server);
  const now = nowOf(server);
  const midnight = now - (now % 86_400_000) + 86_400_000;
  const { id } = await org.campaign({
    schedule: {
      start: isoAt(midnight + 36_000_000),
      end: isoAt(midnight + 43_200_000),
      windowStart: '09:00',
      windowEnd: '17:00',
    },
  });
  await org.add(id, [{ phone: aPhone('00'), timezone: 'Pacific/Honolulu' }]);
  await org.patch(id, { status: 'active' });
  await server.advance(2 * 86_400_000);
  const events = await eventsOf(org, id);
  assert.deepEqual(
    events.slice(-2).map(({ at, type, detail }) => [at, type, detail]),
    [
      [isoAt(midnight + 36_000_000), 'window_opened', {}],
      [isoAt(midnight + 43_200_000), 'completed', { reason: 'end_passed' }],
    ],
  );
});

test('a campaign that goes active without a window is told that it calls at any hour', async () => {
  const org = await newCallingOrg(server);
  const messageOf = async (id: string, changes: object) =>
    (await org.client.patch(`/campaigns/${id}/`, changes)).body.message;
  const { id } = await org.campaign();
  assert.match(await messageOf(id, { status: 'active' }), /calls at any hour/);
  assert.equal(await messageOf(id, { name: 'Summer' }), 'Campaign updated.');
  assert.equal(await messageOf(id, { status: 'paused' }), 'Campaign updated.');
  const window = { schedule: { windowStart: '09:00', windowEnd: '17:00' } };
  assert.equal(await messageOf(id, { status: 'active', ...window }), 'Campaign updated.');
  const { agentId, numberId: phoneNumberId } = org;
  const body = { name: 'At once', agentId, phoneNumberId, status: 'active' };
  assert.match((await org.client.post('/campaigns/', body)).body.message, /^Campaign created\..*any hour/);
});

test('a restore that pauses campaigns is an event by the operator', async () => {
  const own = await startTestServer();
  try {
    const org = await newCallingOrg(own);
    const { id } = await org.run([{ phone: aPhone('00'), timezone: 'America/New_York' }], {
      schedule: { windowStart: '09:00', windowEnd: '10:00' },
    });
    await pauseEveryCampaign(own.running.app);
    const { type, actor, detail } = (await eventsOf(org, id)).at(-1)!;
    assert.deepEqual(
      [type, actor, detail],
      ['paused', { kind: 'operator', id: null, name: null }, { reason: 'restore' }],
    );
  } finally {
    await own.stop();
  }
});

test('a carrier that goes out of reach, and comes back, is an event of each running campaign of the number', async (t) => {
  const runtime = await voiceRuntime(t);
  runtime.onDial(() => ({ reply: 'cut', takes: false }));
  const own = await startTestServer({ settings: httpSettings(runtime.url) });
  t.after(() => own.stop());
  const org = await newCallingOrg(own);
  const { id } = await org.run([aPhone()]);
  runtime.onDial(() => undefined);
  await own.advance(10_000);
  const events = (await eventsOf(org, id)).filter(({ type }) => type.startsWith('carrier'));
  assert.deepEqual(
    events.map(({ type, actor }) => [type, actor]),
    [
      ['carrier_paused', null],
      ['carrier_resumed', null],
    ],
  );
  assert.deepEqual(
    [events[0]!.detail['phone_number_id'], typeof events[0]!.detail['reason']],
    [org.numberId, 'string'],
  );
});
