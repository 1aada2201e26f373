import assert from 'node:assert/strict';
import { after, afterEach, suite, test } from 'node:test';
import {
  accountsOf,
  aKey,
  anAccount,
  anEventType,
  bearer,
  disconnect,
  lookUp,
  startCalendar,
} from '../support/calendar.ts';
import { type RecordedRequest, type FakeFault, startFakeCal, errorAnswer } from '../support/fake-cal.ts';
import { anAgent } from '../support/fixtures.ts';
import { dataOf, faultPaths, startTestServer } from '../support/server.ts';

const { server, fake, stop } = await startCalendar();
after(stop);
suite('event types', () => {
  afterEach(() => {
    fake.fault = () => undefined;
    fake.failNext(0, { kind: 'reset' });
  });

  /** Fails the requests with this key only. */
  const failKey = (key: string, fault: FakeFault) => {
    fake.fault = (request: RecordedRequest) => (request.key === key ? fault : undefined);
  };

  test('an event type is found by its id or its slug', async () => {
    const org = await server.newOrganization();
    const eventType = anEventType({ slug: 'consultation', title: 'Consultation', price: 49.5, currency: 'eur' });
    const id = await anAccount(org, aKey(fake, { eventTypes: [anEventType(), eventType] }), { account_name: 'Sales' });
    const expected = {
      id: String(eventType.id),
      slug: 'consultation',
      title: 'Consultation (Sales)',
      description: 'Half an hour to get to know each other',
      duration_minutes: 30,
      price: 49.5,
      currency: 'eur',
      is_active: true,
      calendar_account_id: id,
      account_name: 'Sales',
    };
    assert.deepEqual(dataOf(await lookUp(org, eventType.id)), expected);
    assert.deepEqual(dataOf(await lookUp(org, 'consultation')), expected);
  });

  test('fields that the provider omits are null, and a hidden event type is not active', async () => {
    const org = await server.newOrganization();
    const bare = { description: undefined, price: undefined, currency: undefined } as object;
    await anAccount(org, aKey(fake, { eventTypes: [anEventType({ slug: 'bare', hidden: true, ...bare })] }));
    const { description, price, currency, is_active: isActive } = dataOf(await lookUp(org, 'bare'));
    assert.deepEqual([description, price, currency, isActive], [null, null, null, false]);
  });

  test('a number matches an id before a slug, whichever account has it', async () => {
    const org = await server.newOrganization();
    const byId = anEventType();
    const bySlug = anEventType({ slug: String(byId.id) });
    const first = await anAccount(org, aKey(fake, { eventTypes: [bySlug, anEventType({ slug: '45' })] }));
    const second = await anAccount(org, aKey(fake, { eventTypes: [byId] }));
    assert.equal(dataOf(await lookUp(org, byId.id)).calendar_account_id, second);
    assert.equal(dataOf(await lookUp(org, 45)).calendar_account_id, first);
    await disconnect(org, { provider_id: second });
    assert.equal(dataOf(await lookUp(org, byId.id)).id, String(bySlug.id));
  });

  test('numbers that cannot be ids are looked up as slugs only', async () => {
    const org = await server.newOrganization();
    const key = aKey(fake, { eventTypes: [anEventType({ slug: '0030' }), anEventType({ slug: '9999999999' })] });
    await anAccount(org, key);
    for (const slug of ['0030', '9999999999']) assert.equal(dataOf(await lookUp(org, slug))['slug'], slug);
    assert.ok(fake.requests.filter((request) => request.key === key).every(({ path }) => !/event-types\/./.test(path)));
  });

  test('accounts of the organization and of its agents are searched in the order in which they were connected', async () => {
    const org = await server.newOrganization();
    const agent = await anAgent(org);
    const slugged = (slug: string) => ({ eventTypes: [anEventType({ slug })] });
    const agents = await anAccount(org, aKey(fake, slugged('both')), { agent_id: agent.id });
    const own = await anAccount(
      org,
      aKey(fake, { eventTypes: [anEventType({ slug: 'both' }), anEventType({ slug: 'one' })] }),
    );
    assert.equal(dataOf(await lookUp(org, 'both')).calendar_account_id, agents);
    assert.equal(dataOf(await lookUp(org, 'one')).calendar_account_id, own);
  });

  test('all accounts are queried concurrently', async () => {
    const org = await server.newOrganization();
    const keys = [aKey(fake), aKey(fake), aKey(fake, { eventTypes: [anEventType({ slug: 'third' })] })];
    for (const key of keys) await anAccount(org, key);
    const waiting = new Set<string>();
    let open!: () => void;
    const allWaiting = new Promise<undefined>((resolve) => (open = () => resolve(undefined)));
    fake.fault = ({ key }) => {
      waiting.add(key);
      if (waiting.size === keys.length) open();
      return allWaiting;
    };
    assert.equal((await lookUp(org, 'third')).status, 200);
  });

  test('a lookup without connected accounts is a 409, without a match a 404', async () => {
    const org = await server.newOrganization();
    const none = await lookUp(org, 'intro');
    assert.deepEqual([none.status, none.body.code], [409, 'NOT_CONNECTED']);
    await anAccount(org, aKey(fake));
    await anAccount(org, aKey(fake, { eventTypes: [anEventType()] }));
    for (const platformId of ['nothing', '424242']) {
      const answer = await lookUp(org, platformId);
      assert.deepEqual([answer.status, answer.body.code], [404, 'NOT_FOUND'], answer.text);
    }
    assert.deepEqual(
      (await accountsOf(org)).map(({ error }) => error),
      [null, null],
    );
  });

  test('a platform id has a maximum length, and may contain characters that a path must escape', async () => {
    const org = await server.newOrganization();
    await anAccount(org, aKey(fake, { eventTypes: [anEventType({ slug: 'a/b c' })] }));
    assert.equal((await lookUp(org, 'a/b c')).status, 200);
    assert.deepEqual(faultPaths(await lookUp(org, ' ')), ['platform_id']);
    assert.deepEqual(faultPaths(await lookUp(org, 'x'.repeat(201))), ['platform_id']);
    assert.equal((await lookUp(org, 'x'.repeat(200))).status, 404);
  });

  test('an account that fails does not hide a match in another; without a match the answer is 502', async () => {
    const org = await server.newOrganization();
    const [broken, good] = [aKey(fake), aKey(fake, { eventTypes: [anEventType({ slug: 'good' })] })];
    await anAccount(org, broken, { account_name: 'Broken' });
    await anAccount(org, good);
    failKey(broken, errorAnswer(500));
    assert.equal((await lookUp(org, 'good')).status, 200);
    const failed = await lookUp(org, 'missing');
    assert.deepEqual([failed.status, failed.body.code], [502, 'PROVIDER_ERROR']);
    assert.match(failed.body.message, /Broken: The calendar provider answered 500[^.]*\.$/);
    assert.match((await accountsOf(org))[0]!.error!, /500/);
    fake.fault = () => undefined;
    assert.equal((await lookUp(org, 'missing')).status, 404);
    assert.equal((await accountsOf(org))[0]!.error, null);
  });

  test('a lookup with a revoked key is a 502, and the account’s error says why', async () => {
    const org = await server.newOrganization();
    const key = aKey(fake, { eventTypes: [anEventType({ slug: 'intro' })] });
    await anAccount(org, key);
    fake.users.delete(key);
    for (const platformId of ['intro', '12']) {
      const answer = await lookUp(org, platformId);
      assert.deepEqual([answer.status, answer.body.code], [502, 'PROVIDER_ERROR']);
    }
    assert.match((await accountsOf(org))[0]!.error!, /refuses the key \(401\)/);
  });

  test('403 for an event type means that another user owns it, not that the key is invalid', async () => {
    const org = await server.newOrganization();
    await anAccount(org, aKey(fake));
    fake.fault = ({ path }) => (path.endsWith('/77') ? errorAnswer(403) : undefined);
    assert.equal((await lookUp(org, 77)).status, 404);
    assert.equal((await accountsOf(org))[0]!.error, null);
  });

  test('a temporary failure is retried twice; a longer one is an error', async () => {
    const org = await server.newOrganization();
    const key = aKey(fake, { eventTypes: [anEventType({ slug: 'intro' })] });
    await anAccount(org, key);
    const lookUpDuring = async (times: number, fault: FakeFault) => {
      fake.failNext(times, fault);
      const before = fake.requests.length;
      const { status } = await lookUp(org, 'intro');
      return [status, fake.requests.length - before];
    };
    assert.deepEqual(await lookUpDuring(2, errorAnswer(502)), [200, 3]);
    assert.deepEqual(await lookUpDuring(2, { kind: 'reset' }), [200, 3]);
    assert.deepEqual(await lookUpDuring(1, errorAnswer(429, { 'retry-after': '1' })), [200, 2]);
    assert.deepEqual(await lookUpDuring(3, errorAnswer(503)), [502, 3]);
    assert.deepEqual(await lookUpDuring(1, errorAnswer(429, { 'retry-after': '60' })), [502, 1]);
    assert.deepEqual(
      await lookUpDuring(1, errorAnswer(429, { 'retry-after': 'Mon, 02 Mar 2026 10:00:00 GMT' })),
      [502, 1],
    );
    assert.deepEqual(await lookUpDuring(1, errorAnswer(400)), [502, 1]);
    assert.deepEqual(await lookUpDuring(1, { kind: 'hang' }), [502, 1]);
  });

  test('only the event type that is looked up must be well-formed', async () => {
    const org = await server.newOrganization();
    const malformed = anEventType({ slug: 'malformed', lengthInMinutes: null as unknown as number });
    await anAccount(org, aKey(fake, { eventTypes: [malformed, anEventType({ slug: 'well-formed' })] }));
    assert.equal((await lookUp(org, 'well-formed')).status, 200);
    assert.equal((await lookUp(org, 'malformed')).body.code, 'PROVIDER_ERROR');
  });

  test('a list of almost a megabyte is read in full, and a longer one is refused', async () => {
    const org = await server.newOrganization();
    const last = anEventType({ slug: 'last' });
    const withDescriptions = (count: number) =>
      Array.from({ length: count }, () => anEventType({ description: 'x'.repeat(4000) }));
    await anAccount(org, aKey(fake, { eventTypes: [...withDescriptions(220), last] }));
    assert.equal((await lookUp(org, 'last')).status, 200);
    const other = await server.newOrganization();
    await anAccount(other, aKey(fake, { eventTypes: [...withDescriptions(270), last] }));
    const { status, body } = await lookUp(other, 'last');
    assert.deepEqual([status, body.code], [502, 'PROVIDER_ERROR']);
  });

  test('an answer with too many values or too deep a nesting is refused unparsed, and long texts are cut', async () => {
    const org = await server.newOrganization();
    const long = anEventType({ slug: 'long', description: '🙂'.repeat(1000) });
    await anAccount(org, aKey(fake, { eventTypes: [long] }));
    // 1,000 UTF-16 units, and no half character at the end.
    assert.equal(dataOf(await lookUp(org, 'long')).description, '🙂'.repeat(500));
    const nested = (depth: number): unknown => (depth === 0 ? [] : [nested(depth - 1)]);
    for (const extra of [nested(40), Array.from({ length: 60_000 }, () => 0)]) {
      const other = await server.newOrganization();
      await anAccount(other, aKey(fake, { eventTypes: [{ ...anEventType({ slug: 'intro' }), extra } as never] }));
      const { status, body } = await lookUp(other, 'intro');
      assert.deepEqual([status, body.code], [502, 'PROVIDER_ERROR']);
    }
  });

  test('an API version that the provider does not know, or with another format, is an error that names the settings', async () => {
    for (const version of ['2024-04-15', '1999-01-01']) {
      const old = await startCalendar({ settings: { 'calendar.versions.event_types': version } });
      try {
        await anAccount(old.server, aKey(old.fake, { eventTypes: [anEventType({ slug: 'intro' })] }));
        const answer = await lookUp(old.server, 'intro');
        assert.equal(answer.body.code, 'PROVIDER_ERROR');
        assert.match(answer.body.message, /calendar\.versions/);
      } finally {
        await old.stop();
      }
    }
  });

  test('each operation is requested in its own version, at the configured address', async () => {
    const provider = await startFakeCal();
    const slashed = await startTestServer({ settings: { 'calendar.base_url': `${provider.url}/` } });
    try {
      const eventType = anEventType({ free: ['2026-03-02T10:00:00Z'] });
      await anAccount(slashed, aKey(provider, { eventTypes: [eventType] }));
      const token = await bearer(slashed);
      const query = `org_id=${slashed.orgId}&event_type_id=${eventType.id}&start=2026-03-02&end=2026-03-02`;
      assert.equal((await slashed.get(`/calendar/slots?${query}`, token)).status, 200);
      const attendee = { name: 'Bob', email: 'bob@example.com', timezone: 'UTC' };
      const booking = { event_type_id: eventType.id, start: '2026-03-02T10:00:00Z', attendee };
      assert.equal((await slashed.post('/calendar/bookings', booking, token)).status, 200);
      const versions = new Map(provider.requests.map(({ path, version }) => [path, version]));
      assert.equal(versions.get(`/v2/event-types/${eventType.id}`), '2024-06-14');
      assert.equal(versions.get('/v2/slots'), '2024-09-04');
      assert.equal(versions.get('/v2/bookings'), '2024-08-13');
    } finally {
      await slashed.stop();
      await provider.close();
    }
  });
});
