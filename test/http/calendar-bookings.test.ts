import assert from 'node:assert/strict';
import { after, afterEach, suite, test } from 'node:test';
import { aKey, accountsOf, anAccount, anEventType, bearer, startCalendar } from '../support/calendar.ts';
import { type FakeEventType, type FakeFault, errorAnswer } from '../support/fake-cal.ts';
import { type Client, dataOf, faultPaths } from '../support/server.ts';

const { server, fake, stop } = await startCalendar();
after(stop);
suite('slots and bookings', () => {
  afterEach(() => {
    fake.fault = () => undefined;
    fake.failNext(0, { kind: 'reset' });
  });

  /** Creates an organization with one account that has one event type. */
  async function withEventType(
    over: Partial<FakeEventType> = {},
  ): Promise<{ org: Client; eventType: FakeEventType; account: string }> {
    const org = await server.newOrganization();
    const eventType = anEventType(over);
    return { org, eventType, account: await anAccount(org, aKey(fake, { eventTypes: [eventType] })) };
  }

  type Slots = { timezone: string; slots: Array<{ start: string; end: string; local_start: string }> };

  const slotsOf = async (org: Client, query: Record<string, string | number>) => {
    const parameters = Object.entries({ org_id: org.orgId, ...query }).map(
      ([name, value]) => `${name}=${encodeURIComponent(value)}`,
    );
    return org.get<Slots>(`/calendar/slots?${parameters.join('&')}`, await bearer(org));
  };

  const attendee = { name: 'Bob', email: 'bob@example.com', timezone: 'Europe/Berlin' };
  const book = async (org: Client, body: object) =>
    org.post<Record<string, unknown>>('/calendar/bookings', { attendee, ...body }, await bearer(org));

  const posts = () => fake.requests.filter(({ method }) => method === 'POST').length;

  test('free slots are listed in order, in UTC and in the requested time zone', async () => {
    const { org, eventType, account } = await withEventType({
      lengthInMinutes: 45,
      free: ['2026-03-29T08:00:00Z', '2026-03-28T08:00:00Z'],
    });
    const range = { event_type_id: eventType.id, start: '2026-03-28T00:00:00Z', end: '2026-03-30T00:00:00+02:00' };
    const data = dataOf(await slotsOf(org, { ...range, timezone: 'Europe/Berlin' }));
    assert.deepEqual(data, {
      event_type_id: String(eventType.id),
      calendar_account_id: account,
      timezone: 'Europe/Berlin',
      slots: [
        {
          start: '2026-03-28T08:00:00.000Z',
          end: '2026-03-28T08:45:00.000Z',
          local_start: '2026-03-28T09:00:00+01:00',
        },
        {
          start: '2026-03-29T08:00:00.000Z',
          end: '2026-03-29T08:45:00.000Z',
          local_start: '2026-03-29T10:00:00+02:00',
        },
      ],
    });
    const plain = dataOf(await slotsOf(org, range));
    assert.deepEqual([plain.timezone, plain.slots[0]!.local_start], ['UTC', '2026-03-28T08:00:00+00:00']);
  });

  test('a date means the whole day in the time zone', async () => {
    const { org, eventType } = await withEventType({
      free: ['2026-03-02T04:59:00Z', '2026-03-02T05:00:00Z', '2026-03-03T04:30:00Z', '2026-03-03T05:00:00Z'],
    });
    const query = { event_type_id: eventType.id, start: '2026-03-02', end: '2026-03-02', timezone: 'America/New_York' };
    const starts = dataOf(await slotsOf(org, query)).slots.map(({ local_start: local }) => local);
    assert.deepEqual(starts, ['2026-03-02T00:00:00-05:00', '2026-03-02T23:30:00-05:00']);
  });

  test('an invalid slot search names its faults', async () => {
    const { org, eventType } = await withEventType();
    const good = { event_type_id: eventType.id, start: '2026-03-02', end: '2026-03-03' };
    const faults = async (over: object) => faultPaths(await slotsOf(org, { ...good, ...over }));
    assert.deepEqual(await faults({ start: 'soon', end: '2026-13-01' }), ['end', 'start']);
    assert.deepEqual(await faults({ start: '2026-03-02T09:00' }), ['start']);
    assert.deepEqual(await faults({ end: '2026-03-01' }), ['end']);
    assert.deepEqual(await faults({ timezone: 'Mars/Base', event_type_id: 'x' }), ['event_type_id', 'timezone']);
    assert.deepEqual(await faults({ event_type_id: 2 ** 31 }), ['event_type_id']);
    const bare = await org.get('/calendar/slots', await bearer(org));
    assert.deepEqual(faultPaths(bare), ['end', 'event_type_id', 'start']);
    const unnamed = await org.get('/calendar/slots?event_type_id=1&start=x&end=2026-03-02', await bearer(org));
    assert.deepEqual(faultPaths(unnamed), ['org_id', 'start']);
  });

  test('slots and bookings are limited to the organization’s own event types, although the provider serves anybody', async () => {
    const { eventType } = await withEventType({ free: ['2026-03-02T10:00:00Z'] });
    const org = await server.newOrganization();
    const query = { event_type_id: eventType.id, start: '2026-03-02', end: '2026-03-03' };
    const booking = { event_type_id: eventType.id, start: '2026-03-02T10:00:00Z' };
    for (const expected of [
      [409, 'NOT_CONNECTED'],
      [404, 'NOT_FOUND'],
    ]) {
      const answers = [await slotsOf(org, query), await book(org, booking)];
      for (const { status, body } of answers) assert.deepEqual([status, body.code], expected);
      await anAccount(org, aKey(fake));
    }
    assert.equal(posts(), 0);
  });

  test('a booking sends attendee and time to the provider, and returns what was booked', async () => {
    const { org, eventType, account } = await withEventType({ title: 'Demo', free: ['2026-03-02T10:00:00Z'] });
    const answer = await book(org, {
      org_id: org.orgId,
      event_type_id: String(eventType.id),
      start: '2026-03-02T11:00:00+01:00',
      attendee: { ...attendee, phone: '+4930901820', language: 'de' },
      metadata: { call_id: '7', Some_Key: 1 },
    });
    const data = dataOf(answer);
    assert.deepEqual(data, {
      id: data['id'],
      uid: data['uid'],
      title: 'Demo between Ada and Bob',
      status: 'accepted',
      start: '2026-03-02T10:00:00.000Z',
      end: '2026-03-02T10:30:00.000Z',
      location: 'integrations:daily',
      occurrences: 1,
      event_type_id: String(eventType.id),
      calendar_account_id: account,
    });
    assert.deepEqual(fake.requests.at(-1)!.body, {
      start: '2026-03-02T10:00:00Z',
      eventTypeId: eventType.id,
      attendee: {
        name: 'Bob',
        email: 'bob@example.com',
        timeZone: 'Europe/Berlin',
        phoneNumber: '+4930901820',
        language: 'de',
      },
      metadata: { call_id: '7', Some_Key: 1 },
    });
  });

  test('a recurring event type is booked as a series, and its first booking is returned', async () => {
    const { org, eventType } = await withEventType({ free: ['2026-03-02T10:00:00Z'], recurrences: 3 });
    const data = dataOf(await book(org, { event_type_id: eventType.id, start: '2026-03-02T10:00:00Z' }));
    assert.deepEqual([data['start'], data['occurrences']], ['2026-03-02T10:00:00.000Z', 3]);
  });

  test('booking a slot that is taken is a conflict', async () => {
    const { org, eventType } = await withEventType({ free: ['2026-03-02T10:00:00Z'] });
    const booking = { event_type_id: eventType.id, start: '2026-03-02T10:00:00Z' };
    assert.equal((await book(org, booking)).status, 200);
    const again = await book(org, booking);
    assert.deepEqual([again.status, again.body.code], [409, 'CONFLICT']);
    assert.match(again.body.message, /not free: User either already has booking/);
    assert.deepEqual((await accountsOf(org))[0]!.error, null);
  });

  test('any other rejection by the provider is a 400 with its message', async () => {
    const { org, eventType } = await withEventType({ free: ['2026-03-02T10:00:00Z'] });
    const booking = { event_type_id: eventType.id, start: '2026-03-02T10:00:00Z' };
    const answer = await book(org, { ...booking, attendee: { ...attendee, language: 'xx' } });
    assert.deepEqual([answer.status, answer.body.code], [400, 'INVALID_REQUEST']);
    assert.match(answer.body.message, /attendee\.language must be one of/);
  });

  test('an invalid booking names all its faults', async () => {
    const { org, eventType } = await withEventType();
    assert.deepEqual(faultPaths(await org.post('/calendar/bookings', {}, await bearer(org))), [
      'attendee',
      'event_type_id',
      'start',
    ]);
    const body = { event_type_id: '0', start: '2026-03-02T10:00', attendee: { name: ' ', email: 'x', timezone: 'x' } };
    assert.deepEqual(faultPaths(await book(org, body)), [
      'attendee.email',
      'attendee.name',
      'attendee.timezone',
      'event_type_id',
      'start',
    ]);
    const start = '2026-03-02T10:00:00Z';
    for (const id of [0, 1.5, 2 ** 31, '9999999999', 'intro', null]) {
      assert.deepEqual(faultPaths(await book(org, { event_type_id: id, start })), ['event_type_id']);
    }
    const extra = await book(org, { event_type_id: eventType.id, start, attendee: { ...attendee, timeZone: 'UTC' } });
    assert.deepEqual(faultPaths(extra), ['attendee.timeZone']);
  });

  const failBookingsWith = (fault: FakeFault) => {
    fake.fault = ({ method }) => (method === 'POST' ? fault : undefined);
  };

  test('a booking is never retried, and the message says when it may have been made', async () => {
    const { org, eventType } = await withEventType();
    const booking = { event_type_id: eventType.id, start: '2026-03-02T10:00:00Z' };
    const ambiguous: FakeFault[] = [
      errorAnswer(500),
      errorAnswer(503),
      { kind: 'reset' },
      { kind: 'hang' },
      { kind: 'answer', status: 201, body: '{"status":"success","data":{}}' },
    ];
    for (const fault of ambiguous) {
      failBookingsWith(fault);
      const before = posts();
      const answer = await book(org, booking);
      assert.deepEqual([answer.status, answer.body.code, posts() - before], [502, 'PROVIDER_ERROR', 1]);
      assert.match(answer.body.message, /may have been made/);
    }
    for (const fault of [errorAnswer(401), errorAnswer(429, { 'retry-after': '0' })]) {
      failBookingsWith(fault);
      const before = posts();
      const answer = await book(org, booking);
      assert.deepEqual([answer.status, answer.body.code, posts() - before], [502, 'PROVIDER_ERROR', 1]);
      assert.doesNotMatch(answer.body.message, /may have been made/);
    }
    failBookingsWith(errorAnswer(404));
    assert.deepEqual((await book(org, booking)).body.code, 'NOT_FOUND');
    failBookingsWith(errorAnswer(409));
    assert.deepEqual((await book(org, booking)).body.code, 'CONFLICT');
  });

  test('a booking that could not be sent was certainly not made', async () => {
    const own = await startCalendar();
    try {
      const eventType = anEventType();
      await anAccount(own.server, aKey(own.fake, { eventTypes: [eventType] }));
      own.fake.fault = () => {
        own.fake.stopListening();
        const body = JSON.stringify({ status: 'success', data: eventType });
        return { kind: 'answer', status: 200, headers: { connection: 'close' }, body };
      };
      const answer = await book(own.server, { event_type_id: eventType.id, start: '2026-03-02T10:00:00Z' });
      assert.deepEqual([answer.status, answer.body.code], [502, 'PROVIDER_ERROR']);
      assert.match(answer.body.message, /out of reach/);
      assert.doesNotMatch(answer.body.message, /may have been made/);
    } finally {
      await own.stop();
    }
  });

  test('slots in an unknown format are a provider error', async () => {
    const { org, eventType } = await withEventType();
    const query = { event_type_id: eventType.id, start: '2026-03-02', end: '2026-03-03' };
    for (const data of [{ '2026-03-02': [{ start: 'soon' }] }, { slots: {} }, ['2026-03-02T09:00:00Z']]) {
      const body = JSON.stringify({ status: 'success', data });
      fake.fault = ({ path }) => (path === '/v2/slots' ? { kind: 'answer', status: 200, body } : undefined);
      assert.equal((await slotsOf(org, query)).body.code, 'PROVIDER_ERROR');
    }
  });

  test('a viewer may list slots but not book', async () => {
    const { org, eventType } = await withEventType({ free: ['2026-03-02T10:00:00Z'] });
    const { access_token: token } = dataOf(
      await org.post<{ access_token: string }>('/auth/token', undefined, { key: await org.keyWithRole('viewer') }),
    );
    const as = { key: null, headers: { authorization: `Bearer ${token}` } };
    const query = `org_id=${org.orgId}&event_type_id=${eventType.id}&start=2026-03-02&end=2026-03-03`;
    assert.equal((await org.get(`/calendar/slots?${query}`, as)).status, 200);
    const booking = { event_type_id: eventType.id, start: '2026-03-02T10:00:00Z', attendee };
    assert.equal((await org.post('/calendar/bookings', booking, as)).status, 403);
    assert.equal((await org.post('/calendar/disconnect', { org_id: org.orgId }, as)).status, 403);
  });
});
