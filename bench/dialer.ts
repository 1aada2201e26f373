/**
 * Measures the time of a dialer tick in a campaign of a million contacts against one of a thousand, and how many simulated calls per
 * second parley handles when no limit applies.
 *
 *   npm run bench:dialer [-- --quick]
 */
import { setTimeout } from 'node:timers/promises';
import { sql } from 'kysely';
import type { TestClock } from '../src/base/clock.ts';
import { installation, transact } from '../src/db/transaction.ts';
import { tick } from '../src/features/campaigns/dialer.ts';
import { createCampaign, updateCampaign } from '../src/features/campaigns/service.ts';
import { importNumber } from '../src/features/numbers/service.ts';
import { median, quick, report, type Row } from './support/report.ts';
import { makeAgent, type Server, startServer } from './support/server.ts';

const many = quick ? 100_000 : 1_000_000;
const few = 1000;
const ticksPerRound = 800;
const rounds = quick ? 3 : 7;
/** The number of ticks that the job runner runs in one transaction. */
const ticksPerCommit = 50;
const unlimited = 1_000_000;
const unlimitedSettings = {
  'limits.organization.max_concurrent': String(unlimited),
  'limits.organization.max_cps': String(unlimited),
};

/** Creates a campaign without limits on a number of its own. The limits are set by SQL, because the API allows no values this high. */
async function makeCampaign(server: Server, agentId: string, contacts: number): Promise<string> {
  const { app, orgId } = server;
  const phone = `+49309018${String(numbersMade++).padStart(4, '0')}`;
  const number = await importNumber(app, orgId, { phone, termination_uri: 'sip.example.com' });
  const campaign = await createCampaign(app, orgId, { name: phone, agentId, phoneNumberId: number.id, maxCps: 100 });
  await transact(app.db, installation, async (tx) => {
    await sql`UPDATE phone_numbers SET max_concurrent = ${unlimited}, max_cps = ${unlimited}
              WHERE id = ${number.id}`.execute(tx);
    await sql`UPDATE campaigns SET max_concurrent = ${unlimited} WHERE id = ${campaign.id}`.execute(tx);
  });
  await addContacts(server, campaign.id, contacts);
  return campaign.id;
}
let numbersMade = 0;

/**
 * Inserts contacts and campaign contacts as the API would, but by SQL and 50,000 at a time. No phone ends in 01 to 09, for which the
 * simulated carrier has fixed outcomes (08 would be silent for an hour).
 */
async function addContacts({ app, orgId }: Server, campaignId: string, count: number): Promise<void> {
  const now = app.clock.now();
  const perCommit = 50_000;
  for (let from = 0; from < count; from += perCommit) {
    const until = Math.min(from + perCommit, count);
    await transact(app.db, installation, async (tx) => {
      await sql`
        WITH RECURSIVE n (i) AS (SELECT ${from} UNION ALL SELECT i + 1 FROM n WHERE i + 1 < ${until})
        INSERT INTO contacts (id, organization_id, first_name, phone, search, created_at, updated_at)
        SELECT format('%s-%08x', ${campaignId}, i), ${orgId}, 'Ada', format('+4917%08d0', i), 'ada', ${now}, ${now} FROM n
      `.execute(tx);
      await sql`
        WITH RECURSIVE n (i) AS (SELECT ${from} UNION ALL SELECT i + 1 FROM n WHERE i + 1 < ${until})
        INSERT INTO campaign_contacts (id, campaign_id, contact_id, position, name, phone, timezone, status)
        SELECT format('%s-%08x', ${campaignId}, i), ${campaignId}, format('%s-%08x', ${campaignId}, i), i, 'Ada',
               format('+4917%08d0', i), '', 'pending' FROM n
      `.execute(tx);
    });
  }
  await transact(app.db, installation, async (tx) => {
    await sql`INSERT INTO campaign_zones (campaign_id, timezone, pending) VALUES (${campaignId}, '', ${count})`.execute(
      tx,
    );
    await sql`UPDATE campaigns SET total = ${count}, pending = ${count}, next_position = ${count}
              WHERE id = ${campaignId}`.execute(tx);
  });
}

const startCampaign = ({ app, orgId }: Server, id: string) => updateCampaign(app, orgId, id, { status: 'active' });

const inFlight = async ({ app }: Server): Promise<number> => {
  const { rows } = await sql<{ n: number }>`SELECT sum(in_flight) AS n FROM organizations`.execute(app.db);
  return rows[0]!.n;
};

/** Runs ticks that each start a call. Returns microseconds per tick. */
async function timeTicks(server: Server, clock: TestClock, campaignId: string): Promise<number> {
  const { app } = server;
  const before = await inFlight(server);
  const startedAt = performance.now();
  for (let done = 0; done < ticksPerRound; done += ticksPerCommit) {
    await transact(app.db, installation, async (tx) => {
      for (let index = 0; index < ticksPerCommit; index++) {
        clock.set(clock.now() + 10); // 100 calls a second
        await tick(app, tx, campaignId);
      }
    });
  }
  const spentUs = (performance.now() - startedAt) * 1000;
  const started = (await inFlight(server)) - before;
  if (started !== ticksPerRound) throw new Error(`${started} calls in ${ticksPerRound} ticks`);
  return spentUs / ticksPerRound;
}

/** The job runner is stopped, so that only ticks are measured and not the calls that they start. */
async function compareTicks(): Promise<Row[]> {
  const server = await startServer(unlimitedSettings, { ephemeral: true, testClock: true });
  const clock = server.app.clock as TestClock;
  await server.runner.stop(0);
  const agentId = await makeAgent(server);
  const large = await makeCampaign(server, agentId, many);
  await startCampaign(server, large);
  const results: Array<{ small: number; large: number }> = [];
  for (let round = 0; round <= rounds; round++) {
    const small = await makeCampaign(server, agentId, few);
    await startCampaign(server, small);
    const result = {
      small: await timeTicks(server, clock, small),
      large: await timeTicks(server, clock, large),
    };
    if (round > 0) results.push(result); // the first round is a warm-up
  }
  await server.finish();
  return [
    {
      what: `tick of a campaign of ${many.toLocaleString('en')} contacts, against ${few.toLocaleString('en')}`,
      bare: median(results.map((result) => result.small)),
      parley: median(results.map((result) => result.large)),
      unit: 'µs',
      target: { atMost: 1.5 },
    },
  ];
}

const campaigns = 40;
const contactsPerCampaign = quick ? 500 : 1500;
/** Calls ring and talk for milliseconds only, so that the server is the bottleneck. */
const speed = '10000';

/** Measures from the activation of the campaigns to the end of the last call. */
async function callsPerSecond(): Promise<{ perSecond: number; cpuUs: number }> {
  const server = await startServer({ ...unlimitedSettings, 'carrier.simulated.speed': speed });
  const agentId = await makeAgent(server);
  const ids: string[] = [];
  for (let index = 0; index < campaigns; index++) ids.push(await makeCampaign(server, agentId, contactsPerCampaign));
  const cpu = process.cpuUsage();
  const startedAt = performance.now();
  for (const id of ids) await startCampaign(server, id);
  while ((await endedCalls(server)) < campaigns * contactsPerCampaign) await setTimeout(50);
  const seconds = (performance.now() - startedAt) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  await server.finish();
  const calls = campaigns * contactsPerCampaign;
  return { perSecond: calls / seconds, cpuUs: (user + system) / calls };
}

/** Reads the agent's counter, because counting calls would slow down what is measured. */
async function endedCalls({ app }: Server): Promise<number> {
  const { rows } = await sql<{ n: number }>`SELECT sum(total_calls) AS n FROM agents`.execute(app.db);
  return rows[0]!.n;
}

const tickRows = await compareTicks();
const runs = [];
for (let run = 0; run < (quick ? 1 : 3); run++) runs.push(await callsPerSecond());
report('dialer', [
  ...tickRows,
  {
    what: `simulated calls per second, ${campaigns} campaigns`,
    parley: median(runs.map((run) => run.perSecond)),
    target: { atLeast: 2000 },
  },
  { what: 'CPU per call, from tick to end', parley: median(runs.map((run) => run.cpuUs)), unit: 'µs' },
]);
