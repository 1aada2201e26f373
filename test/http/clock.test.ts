import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { dataOf, faultPaths, startTestServer } from '../support/server.ts';

const server = await startTestServer();
const ordinary = await startTestServer({ testClock: false });
after(() => Promise.all([server.stop(), ordinary.stop()]));

const now = async () => dataOf(await server.get<{ now: string }>('/test-clock')).now;

test('/ready and /livez need no key and no envelope', async () => {
  assert.equal((await server.get('//ready', { key: null })).text, '{"status":"ready"}');
  const live = await server.get('//livez', { key: null });
  assert.equal(live.status, 200);
  assert.equal('success' in live.body, false);
  assert.equal((await server.get('//ready', { key: 'pk_wrong' })).status, 200);
});

test('the test clock stands still until it is advanced, by milliseconds or to an instant', async () => {
  const start = await now();
  assert.equal(await now(), start);
  const advanced = dataOf(await server.post<{ now: string; ran: object }>('/test-clock/advance', { ms: 1500 }));
  assert.deepEqual(Object.keys(advanced), ['now', 'ran']);
  assert.equal(Temporal.Instant.from(advanced.now).since(start).total('milliseconds'), 1500);
  const to = await server.post<{ now: string }>('/test-clock/advance', { to: '2026-03-03T12:00:00+01:00' });
  assert.equal(dataOf(to).now, '2026-03-03T11:00:00.000Z');
  assert.equal(
    dataOf(await server.post<{ now: string }>('/test-clock/advance', { ms: 0 })).now,
    '2026-03-03T11:00:00.000Z',
  );
});

test('the test clock takes either ms or to, and only moves forward', async () => {
  const advance = (body: unknown) => server.post('/test-clock/advance', body);
  const past = '2020-01-01T00:00:00Z';
  assert.deepEqual(faultPaths(await advance({})), ['ms', 'to']);
  assert.deepEqual(faultPaths(await advance({ ms: 1, to: '2030-01-01T00:00:00Z' })), ['ms', 'to']);
  assert.deepEqual(faultPaths(await advance({ ms: -1 })), ['ms']);
  assert.deepEqual(faultPaths(await advance({ ms: 1.5 })), ['ms']);
  assert.deepEqual(faultPaths(await advance({ ms: 1e300 })), ['ms']);
  assert.deepEqual(faultPaths(await advance({ to: past })), ['to']);
  assert.deepEqual(faultPaths(await advance({ to: 'tomorrow' })), ['to']);
  assert.deepEqual(faultPaths(await advance({ to: '2026-04-01T00:00:00' })), ['to']);
  assert.deepEqual(faultPaths(await advance({ to: '+275760-09-13T00:00:00Z' })), ['to']);
  assert.deepEqual(faultPaths(await advance({ ms: 1, to: past, speed: 2 })), ['ms', 'speed', 'to']);
});

test('timestamps are those of the test clock', async () => {
  const contact = dataOf(await server.post('/contacts/', {}));
  assert.equal(contact['created_at'], await now());
  await server.advance(60_000);
  const changed = dataOf(await server.patch(`/contacts/${contact.id}`, { company: 'Analytical' }));
  assert.deepEqual([changed['created_at'], changed['updated_at']], [contact['created_at'], await now()]);
});

test('advances at once run one after the other, each from where the last one ended', async () => {
  const before = Temporal.Instant.from(await now());
  await Promise.all(Array.from({ length: 50 }, () => server.advance(1000)));
  assert.equal(before.until(await now()).total('milliseconds'), 50_000);
});

test('without a test clock its routes do not exist', async () => {
  assert.equal((await ordinary.get('/test-clock')).status, 404);
  assert.equal((await ordinary.get('/test-clock', { key: null })).status, 404);
  assert.equal((await ordinary.post('/test-clock/advance', { ms: 1 })).status, 404);
  assert.ok(!Object.keys(ordinary.document.paths).some((path) => path.includes('test-clock')));
});

test('/api/v1/system describes the installation', async () => {
  const system = dataOf(await server.get<Record<string, unknown>>('/system'));
  assert.deepEqual(system, {
    version: system['version'],
    carrier: { driver: 'simulated', simulated: true, drivers: ['simulated'] },
    storage: system['storage'],
    clock: { now: await now(), test: true },
    email: { configured: false },
    checks: system['checks'],
    backup: { last_at: null, next_at: null, path: null, size_bytes: null, error: null },
    nodes: system['nodes'],
    uptime_sec: system['uptime_sec'],
    queue: { due: 0, oldest_sec: 0 },
  });
  const real = dataOf(await ordinary.get<{ clock: { test: boolean } }>('/system'));
  assert.equal(real.clock.test, false);
});
