// Long: each operation is tried with each kind of revocation.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { describedRoutes } from '../../../src/http/routes.ts';
import type { Route } from '../../../src/kernel/route.ts';
import { aPassword, aPerson } from '../../support/people.ts';
import { type Data, dataOf } from '../../support/server.ts';
import { type Ask, filled, methodOf, pathOf, type Row, rows } from '../interface-rows.ts';
import { aWorld } from '../interface-world.ts';
import { dripping, type Dripping, type Plan, watchArrivals } from './dripping.ts';
import { holdWriteLock, storedBut } from './stored.ts';
import { anIssuer, type Credential, type Withdrawal, withdrawalsOn } from './withdrawals.ts';

/*
 * Every withdrawal of credentials × every moment of a request × every operation of the route table that is not a GET. Once the withdrawal
 * is answered, a request that began before changes nothing and is refused.
 */

const foreign = await anIssuer();
const world = await aWorld(foreign.settings);
const unwatch = watchArrivals();
after(async () => {
  unwatch();
  await world.stop();
  foreign.close();
});
const { server } = world;
const { app, runner } = server.running;
const withdrawals = withdrawalsOn(server, foreign);
await aPerson(server, 'admin'); // the last one could not be removed

type Operation = { row: Row; route: Route; ask: Ask };

const withoutSlash = (path: string): string => path.replace(/(?<=.)\/$/, '');
const routes = new Map(
  describedRoutes({ testClock: true }).map((route) => [`${route.method} ${withoutSlash(route.path)}`, route]),
);

async function operationOf(row: Row): Promise<Operation> {
  const route = routes.get(`${methodOf(row)} ${withoutSlash(pathOf(row))}`)!;
  return { row, route, ask: (await row.ask?.(world)) ?? {} };
}

const operations: Operation[] = [];
for (const row of rows) {
  if (methodOf(row) !== 'GET' && row.auth !== 'none' && row.auth !== 'signature')
    operations.push(await operationOf(row));
}
/** What `resumeCalling` resumes is stopped; nothing else could be started meanwhile. */
const resume = () => server.post('/calling/resume', {});
await resume();
await server.advance(20 * 60_000); // ends the calls, which would go on when the clock ends a token
await server.get('/contacts?limit=1'); // the key's last use is written once a minute
await runner.settled();

test('the matrix holds every operation that may change something', () => {
  const changing = [...routes.values()].filter(({ method, access }) => method !== 'GET' && access !== 'public');
  assert.deepEqual(
    operations.map(({ route }) => route.operationId).toSorted(),
    changing.map(({ operationId }) => operationId).toSorted(),
  );
});

/** The operations that a withdrawal concerns: those that take the credential, and of which its owner has lost the role. */
function concerned({ status, isSession = false, isToken = false }: Withdrawal): Operation[] {
  const taken = { any: true, bearer: isSession || isToken, session: isSession, public: false };
  return operations.filter(({ route: { access, role } }) => taken[access] && (status === 401 || role !== 'viewer'));
}

function planOf({ row, route, ask }: Operation, headers: Record<string, string>): Plan {
  const passwords = { current_password: aPassword, new_password: 'another passphrase' };
  const body = route.operationId === 'changePassword' ? passwords : ask.body;
  const ofSession = row.auth === 'Session';
  return {
    method: methodOf(row),
    path: filled(row, ask).slice(1),
    headers: { ...(ofSession ? {} : ask.headers), ...headers },
    body: body === undefined ? undefined : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
  };
}

/** Lets everything that has been sent be read. */
async function settle(): Promise<void> {
  for (let reads = 0; reads < 3; reads += 1) assert.equal((await server.get('/contacts?limit=1')).status, 200);
}

type Moment = (credential: Credential, requests: readonly Dripping[]) => Promise<void>;

const moments: Record<string, { needsBody: boolean; run: Moment }> = {
  'after its headers': {
    needsBody: true,
    async run({ withdraw }, requests) {
      await Promise.all(requests.map((request) => request.open()));
      await withdraw();
      for (const request of requests) request.rest();
    },
  },
  'after half of its body': {
    needsBody: true,
    async run({ withdraw }, requests) {
      await Promise.all(requests.map((request) => request.open()));
      await Promise.all(requests.map((request) => request.half()));
      await withdraw();
      for (const request of requests) request.rest();
    },
  },
  'after its body and before its transaction': {
    needsBody: false,
    async run({ byClock, withdraw }, requests) {
      const lock = await holdWriteLock(app.db);
      const withdrawn = byClock ? undefined : withdraw();
      if (withdrawn) await lock.awaited(1);
      for (const request of requests) request.rest();
      await settle();
      await (withdrawn ? undefined : withdraw());
      lock.release();
      await withdrawn;
    },
  },
};

/** Operations that open no transaction, or none before they have done their work: the withdrawal was not answered by then. */
const doneBefore = new Set([
  'advanceTestClock',
  'checkPhoneNumber',
  'createAccessToken',
  'createCalendarBooking',
  'createConversation', // kept in memory, and nothing else
  'createConversationTurn',
  'planNewCampaign',
  'planUnsavedCampaign',
  'queryKnowledgeBase',
  'retryWebhookDeliveries', // finds no delivery to send again
  'sayInCall',
  'transferCall',
]);

function changes(before: readonly string[], later: readonly string[]): string[] {
  const [earlier, now] = [new Set(before), new Set(later)];
  return [
    ...before.filter((line) => !now.has(line)).map((line) => `- ${line}`),
    ...later.filter((line) => !earlier.has(line)).map((line) => `+ ${line}`),
  ];
}

for (const [name, withdrawal] of Object.entries(withdrawals)) {
  for (const [moment, { needsBody, run }] of Object.entries(moments)) {
    test(`${name} changes nothing with a request when that happens ${moment}`, async () => {
      const credential = await withdrawal.make();
      const ofMoment = concerned(withdrawal).filter(({ ask, route }) =>
        needsBody ? ask.body !== undefined : !doneBefore.has(route.operationId),
      );
      const names = ofMoment.map(({ route }) => route.operationId);
      const requests = ofMoment.map((operation) => dripping(server.url, planOf(operation, credential.headers)));
      const before = await storedBut(app.db, credential.owners);
      await run(credential, requests);
      const statuses = await Promise.all(requests.map((request) => request.status()));
      await runner.settled();
      assert.deepEqual(
        Object.fromEntries(names.map((id, index) => [id, statuses[index]])),
        Object.fromEntries(names.map((id) => [id, withdrawal.status])),
      );
      assert.deepEqual(changes(before, await storedBut(app.db, credential.owners)), []);
    });
  }
}

test('a refusal of a request that had begun is in the audit log', async () => {
  const { headers, withdraw, owners } = await withdrawals['a key that is revoked']!.make();
  const operation = operations.find(({ route }) => route.operationId === 'createAgent')!;
  const request = dripping(server.url, planOf(operation, headers));
  await request.open();
  await withdraw();
  request.rest();
  assert.equal(await request.status(), 401);
  const [entry] = dataOf(await server.get<Data[]>('/audit?operation=createAgent.refused&limit=1'));
  assert.deepEqual(entry!['actor'], { kind: 'api_key', id: owners[0], name: 'leaving' });
});

test('the same requests of an admin who stays are carried out', async () => {
  const { headers } = await withdrawals['a session that ends']!.make();
  for (const operation of operations) {
    await resume();
    const fresh = await operationOf(operation.row);
    const { status, text } = await server.request(methodOf(fresh.row), filled(fresh.row, fresh.ask), {
      key: null,
      headers: { ...fresh.ask.headers, ...(operation.row.auth === 'Session' ? {} : headers) },
      ...(fresh.ask.body === undefined ? {} : { body: fresh.ask.body }),
    });
    assert.equal(status, 200, `${operation.route.operationId}: ${text}`);
  }
});
