import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import fc from 'fast-check';
import { dataOf, startTestServer, type TestServer } from '../support/server.ts';
import { createCallingOrg, type Call, type CallingOrg } from './calling-support.ts';
import { propertyRuns } from '../support/property-runs.ts';

/**
 * The test clock runs everything that falls due in the order of its due times, each at its own instant (docs/api/process.md, "Test
 * clock"). So the number of steps in which time advances must not matter.
 */

const hourMs = 3_600_000;

/** A webhook receiver that fails the first attempt of every third event, so that deliveries are retried. */
const receiver = createServer((request, response) => {
  request.resume().on('end', () => {
    const id = String(request.headers['webhook-id']);
    const isFirst = !seen.has(id);
    seen.add(id);
    const number = isFirst ? (eventsOf.get(request.url!) ?? 0) : 0;
    if (isFirst) eventsOf.set(request.url!, number + 1);
    response.writeHead(isFirst && number % 3 === 0 ? 500 : 200).end();
  });
});
const seen = new Set<string>();
const eventsOf = new Map<string, number>();
await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
after(() => {
  receiver.closeAllConnections();
  receiver.close();
});
const receiverUrl = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;

const suffixes = ['00', '01', '02', '05', '06', '07', '09', '31', '57'];
const contactsOf = (area: string, timezone: string | null) =>
  suffixes.map((suffix, index) => ({ phone: `+4930${area}${10 + index}${suffix}`, timezone }));

/** Two campaigns that share a number, with windows in two time zones, retries, and webhooks that sometimes fail. */
async function begin(server: TestServer, path: string): Promise<CallingOrg> {
  const org = await createCallingOrg(server, {
    agent: { webhook_url: `${receiverUrl}/${path}`, maxCallDurationMs: 60_000 },
    number: { phone: '+493090182000' },
  });
  dataOf(await server.patch(`/phone-numbers/${org.numberId}`, { max_concurrent: 3, max_cps: 3 }));
  const hours = { windowStart: '09:00', windowEnd: '17:00', timezone: 'Europe/Berlin', retryAttempts: 2 };
  await org.run([...contactsOf('111', null), ...contactsOf('112', 'America/New_York')], {
    maxCps: 7,
    schedule: { ...hours, retryGapMin: 45, maxConcurrent: 2 },
  });
  await org.run([...contactsOf('113', 'Asia/Tokyo'), { phone: '+493011311108' }], {
    schedule: { ...hours, windowEnd: '03:00', retryGapMin: 200, end: '2026-03-03T12:00:00Z' },
  });
  return org;
}

const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;

/** Replaces the fields of an attempt that depend on the machine's clock, because requests are signed with its time. */
const real = { duration_ms: 0, request_headers: null, response_headers: null };

/** Everything that the API shows afterwards, as text. Each id is replaced by the number of its first occurrence, so that runs compare. */
async function historyOf(org: CallingOrg): Promise<string> {
  const { client } = org;
  const campaigns = dataOf(await client.get<Array<{ id: string }>>('/campaigns/'));
  const contacts = await Promise.all(campaigns.map(({ id }) => org.contacts(id)));
  const deliveries = dataOf(await client.get<Array<{ id: string }>>('/webhooks/deliveries?limit=500'));
  const details: unknown[] = [];
  for (const { id } of deliveries) {
    const { attempts, ...detail } = dataOf(
      await client.get<{ id: string; attempts: Array<Record<string, unknown>> }>(`/webhooks/deliveries/${id}`),
    );
    details.push({ ...detail, url: '', attempts: attempts.map((attempt) => ({ ...attempt, ...real })) });
  }
  const calls = await org.calls();
  const agent = dataOf(await client.get(`/agents/${org.agentId}`))['callStats'];
  const text = JSON.stringify({ campaigns, contacts, calls, agent, details }, null, 1);
  const numbers = new Map<string, number>();
  return text.replace(uuid, (id) => {
    if (!numbers.has(id)) numbers.set(id, numbers.size);
    return `#${numbers.get(id)}`;
  });
}

type Counts = Record<string, number>;
const sum = (a: Counts, b: Counts): Counts =>
  Object.fromEntries(
    [...new Set([...Object.keys(a), ...Object.keys(b)])]
      .toSorted()
      .map((kind) => [kind, (a[kind] ?? 0) + (b[kind] ?? 0)]),
  );

const totalMs = 30 * hourMs;
let runs = 0;

/** Runs the scenario with time advancing in these steps. Returns its history, and how many jobs ran. */
async function runScenario(stepsMs: readonly number[]): Promise<{ history: string; ran: Counts }> {
  const server = await startTestServer();
  try {
    const org = await begin(server, `run-${runs++}`);
    let ran: Counts = {};
    for (const stepMs of stepsMs) {
      ran = sum(ran, await server.advance(stepMs));
      assert.deepEqual(await server.advance(0), {}, 'an advance answers only when nothing due is left');
    }
    return { history: await historyOf(org), ran };
  } finally {
    await server.stop();
  }
}

const atOnce = await runScenario([totalMs]);

test('the history of one long advance is complete: campaigns done, calls ended, deliveries made', () => {
  const { campaigns, calls, details } = JSON.parse(atOnce.history) as {
    campaigns: Array<{ status: string }>;
    calls: Call[];
    details: Array<{ status: string; attempts: unknown[] }>;
  };
  assert.deepEqual(
    campaigns.map(({ status }) => status),
    ['completed', 'completed'],
  );
  assert.ok(calls.length > 40);
  assert.ok(calls.every(({ state }) => state === 'ended'));
  assert.equal(details.length, calls.length);
  assert.ok(details.every(({ status }) => status === 'delivered'));
  assert.ok(details.some(({ attempts }) => attempts.length === 2));
  assert.equal(atOnce.ran['call.dial'], calls.length - dialedBefore(calls), 'ran counts each job once');
});

/** Dial jobs that ran before the first advance, while the clock stood still at the start. */
const dialedBefore = (calls: readonly Call[]): number =>
  calls.filter((call) => call.started_at === '2026-03-02T09:00:00.000Z').length;

test('the same happens at the same instants, whether time advances in one step or in many', async () => {
  // Steps from a millisecond to hours; the rest of the time is the last step.
  const steps = fc.array(
    fc
      .tuple(fc.integer({ min: 0, max: 7 }), fc.integer({ min: 1, max: 99 }))
      .map(([scale, units]) => 10 ** scale * units),
    { minLength: 20, maxLength: 60 },
  );
  await fc.assert(
    fc.asyncProperty(steps, async (wanted) => {
      const taken: number[] = [];
      let left = totalMs;
      for (const stepMs of [...wanted, totalMs]) {
        taken.push(Math.min(stepMs, left));
        left -= taken.at(-1)!;
      }
      const { history, ran } = await runScenario(taken);
      assert.equal(history, atOnce.history);
      assert.deepEqual(ran, sum(atOnce.ran, {}));
    }),
    { numRuns: propertyRuns({ few: 1, all: 3 }), endOnFailure: true },
  );
});

test('an advance in which nothing falls due runs nothing', async (t) => {
  const server = await startTestServer();
  t.after(() => server.stop());
  assert.deepEqual(await server.advance(60_000), {});
});
