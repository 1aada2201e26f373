import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { aCampaign, anAgent, aNumber } from '../support/fixtures.ts';
import { type PostgresServer, postgresPrograms, startPostgres } from '../support/postgres.ts';
import { type Relay, startRelay } from '../support/relay.ts';
import { dataOf, startTestServer, type TestServer } from '../support/server.ts';
import { aReceiver } from '../http/calling-support.ts';

const programs = postgresPrograms();
const skip = programs === undefined && 'needs a PostgreSQL server (Debian: postgresql)';
let postgres: PostgresServer;
let relay: Relay;
before(async () => {
  if (programs === undefined) return;
  postgres = startPostgres(programs);
  relay = await startRelay(postgres.folder);
});
after(async () => {
  await relay?.stop();
  postgres?.stop();
});

const inHour = 3_600_000;

/** A server behind the relay, and the round trips that some work of it takes. */
async function measured(database: string) {
  postgres.run('postgres', `CREATE DATABASE ${database}`);
  const server = await startTestServer({
    settings: { 'store.url': `postgres://parley@127.0.0.1:${relay.port}/${database}`, 'carrier.driver': 'simulated' },
    testClock: '2026-03-02T09:00:00Z',
  });
  const tripsOf = async (work: () => Promise<unknown>): Promise<number> => {
    const earlier = relay.roundTrips();
    await work();
    return relay.roundTrips() - earlier;
  };
  return { server, tripsOf };
}

/** A campaign that is ready to call so many contacts, who all talk. */
async function aReadyCampaign(server: TestServer, count: number, webhook: object): Promise<string> {
  const agent = await anAgent(server, webhook);
  const number = await aNumber(server);
  dataOf(await server.patch(`/phone-numbers/${number.id}`, { max_cps: 100 }));
  const campaign = await aCampaign(server, {
    agentId: agent.id,
    phoneNumberId: number.id,
    maxCps: 100,
    schedule: { timezone: 'UTC', windowStart: '00:00', windowEnd: '23:59', maxConcurrent: 80, retryAttempts: 0 },
  });
  const contacts = Array.from({ length: count }, (_, at) => ({ phone: `+4930222${String(at).padStart(4, '0')}00` }));
  dataOf(await server.post(`/campaigns/${campaign.id}/contacts`, { contacts }));
  return campaign.id;
}

const calls = 50;

/** What each takes at most: more means that a statement was added where it is waited for. */
const limits = { 'GET /contacts': 3, 'POST /contacts': 8, 'POST /calls': 8, 'campaign call': 31, delivery: 0.5 };

test('requests, calls and deliveries wait for the database no more often than before', { skip }, async (t) => {
  const { server, tripsOf } = await measured('trips');
  t.after(() => server.stop());
  const receiver = await aReceiver(t);
  const each = async (count: number, work: () => Promise<unknown>): Promise<number> => (await tripsOf(work)) / count;
  const repeated = (work: (n: number) => Promise<unknown>): Promise<number> =>
    each(20, async () => {
      for (let n = 0; n < 20; n += 1) await work(n);
    });
  const agent = await anAgent(server);
  const number = await aNumber(server);
  const single = { agent_id: agent.id, phone_number_id: number.id };
  const to = (n: number): string => `+493033300${String(n + 10)}`;
  const found = {
    'GET /contacts': await repeated(async () => dataOf(await server.get('/contacts?limit=20'))),
    'POST /contacts': await repeated(async (n) => dataOf(await server.post('/contacts/', { company: `c${n}` }))),
    'POST /calls': await repeated(async (n) => dataOf(await server.post('/calls', { ...single, to: to(n) }))),
    'campaign call': 0,
    delivery: 0,
  };
  await server.advance(inHour);
  const campaign = await aReadyCampaign(server, calls, { webhook_url: receiver.url });
  const idle = await tripsOf(() => server.advance(inHour));
  const called = await tripsOf(async () => {
    dataOf(await server.patch(`/campaigns/${campaign}/`, { status: 'active' }));
    await server.advance(inHour);
  });
  found['campaign call'] = (called - idle) / calls;
  assert.equal(receiver.events.length, calls);
  const [first] = dataOf(await server.get<Array<{ id: string }>>('/webhooks/deliveries?limit=1'));
  dataOf(await server.post(`/webhooks/deliveries/${first!.id}/retry`));
  const one = await tripsOf(() => server.advance(1000));
  dataOf(await server.post('/webhooks/deliveries/retry', { status: 'delivered' }));
  const all = await tripsOf(() => server.advance(1000));
  assert.equal(receiver.events.length, 2 * calls + 1);
  found.delivery = (all - one) / (calls - 1);
  t.diagnostic(JSON.stringify({ ...found, one, all }));
  for (const [work, limit] of Object.entries(limits)) {
    const trips = found[work as keyof typeof limits];
    assert.ok(trips <= limit, `${work}: ${trips} round trips, and ${limit} at most`);
  }
});
