/**
 * Measures the dialer:
 *
 * - the time of a tick in a campaign of a million contacts against one of a thousand;
 * - how many ticks and how much CPU a call takes when 500 campaigns share 20 lines of a number, against one campaign with 20 lines;
 * - how many simulated calls per second parley handles when no limit applies.
 *
 *   npm run bench:dialer [-- --quick] [-- --json] [-- --part=ticks|lines|calls]
 */
import { sql } from 'kysely';
import type { TestClock } from '../src/base/clock.ts';
import { installation, transact } from '../src/db/transaction.ts';
import { tick } from '../src/features/campaigns/dialing/dialer.ts';
import { callsEnded, makeCampaign, makeNumber, startCampaign, unlimitedSettings } from './support/dialing.ts';
import { measureParts, median, quick, ratiosOf, report, type Row } from './support/report.ts';
import { makeAgent, type Server, startServer } from './support/server.ts';

const ticksPerRound = 800;
const rounds = quick ? 3 : 7;
/** The number of ticks that the job runner runs in one transaction. */
const ticksPerCommit = 50;

const inFlight = async ({ app }: Server): Promise<number> => {
  const { rows } = await sql<{ n: number }>`SELECT sum(in_flight) AS n FROM organizations`.execute(app.db);
  return rows[0]!.n;
};

/** Starts a campaign and runs ticks that each start a call. Returns microseconds per tick. */
async function timeTicks(server: Server, campaignId: string): Promise<number> {
  const { app } = server;
  const clock = app.clock as TestClock;
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

/** A server whose job runner is stopped, so that only ticks are measured and not the calls that they start. */
async function startStopped(): Promise<Server> {
  const server = await startServer(unlimitedSettings, { ephemeral: true, testClock: true });
  await server.runner.stop(0);
  return server;
}

type Pair = { bare: number; parley: number };

const rowOf = (what: string, pairs: readonly Pair[], rest: Partial<Row> = {}): Row => ({
  what,
  bare: median(pairs.map((pair) => pair.bare)),
  parley: median(pairs.map((pair) => pair.parley)),
  ratios: ratiosOf(pairs, 'parley', 'bare'),
  unit: 'µs',
  ...rest,
});

/** Measures pairs of campaigns, which `make` starts anew for each round. The first round is a warm-up. */
async function compareTicks(server: Server, make: () => Promise<Record<keyof Pair, string>>): Promise<Pair[]> {
  const pairs: Pair[] = [];
  for (let round = 0; round <= rounds; round++) {
    const campaigns = await make();
    for (const id of new Set(Object.values(campaigns))) await startCampaign(server, id);
    const pair = { bare: await timeTicks(server, campaigns.bare), parley: await timeTicks(server, campaigns.parley) };
    if (round > 0) pairs.push(pair);
  }
  return pairs;
}

async function measureTicks(): Promise<Row[]> {
  const many = quick ? 100_000 : 1_000_000;
  const few = 1000;
  const server = await startStopped();
  const agentId = await makeAgent(server);
  const large = await makeCampaign(server, { agentId, contacts: many });
  const pairs = await compareTicks(server, async () => ({
    bare: await makeCampaign(server, { agentId, contacts: few }),
    parley: large,
  }));
  await server.finish();
  return [
    rowOf(`tick with ${many.toLocaleString('en')} contacts, against ${few.toLocaleString('en')}`, pairs, {
      target: { atMost: 1.5 },
    }),
  ];
}

/** Calls ring and talk for milliseconds only, so that the server is the bottleneck. */
const speed = '10000';

type Calling = { perSecond: number; cpuUs: number; ticks: number };

/** Measures from the activation of campaigns to the end of their last call. `lines`, if given, are those of one number that all share. */
async function call(campaigns: number, contacts: number, lines?: number): Promise<Calling> {
  const server = await startServer({ ...unlimitedSettings, 'carrier.simulated.speed': speed });
  const agentId = await makeAgent(server);
  const shared = lines === undefined ? {} : { numberId: await makeNumber(server, lines) };
  const ids: string[] = [];
  for (let index = 0; index < campaigns; index++)
    ids.push(await makeCampaign(server, { agentId, contacts, ...shared }));
  const cpu = process.cpuUsage();
  const startedAt = performance.now();
  for (const id of ids) await startCampaign(server, id);
  const calls = campaigns * contacts;
  await callsEnded(server, calls);
  const seconds = (performance.now() - startedAt) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  const ticks = server.runner.ran().get('campaign.tick') ?? 0;
  await server.finish();
  return { perSecond: calls / seconds, cpuUs: (user + system) / calls, ticks: ticks / calls };
}

async function measureLines(): Promise<Row[]> {
  const lines = 20;
  const campaigns = 500;
  const contacts = quick ? 4 : 10;
  const alone = quick ? 200 : 1000;
  const results: Array<{ one: Calling; many: Calling }> = [];
  for (let round = 0; round < (quick ? 1 : 5); round++) {
    results.push({ one: await call(1, alone, lines), many: await call(campaigns, contacts, lines) });
  }
  const row = (what: string, figure: keyof Calling): Row => {
    const pairs = results.map(({ one, many }) => ({ bare: one[figure], parley: many[figure] }));
    const { target: _, unit: __, ...rest } = rowOf(what, pairs);
    return rest;
  };
  return [
    row(`calls per second of ${campaigns} campaigns that share ${lines} lines, against one`, 'perSecond'),
    { ...row('CPU per call', 'cpuUs'), unit: 'µs' },
    {
      what: `ticks per call of ${campaigns} campaigns, beyond the first of each`,
      parley: median(results.map(({ many }) => many.ticks)) - 1 / contacts,
      digits: 2,
      target: { atMost: 1.2 },
    },
  ];
}

async function measureCalls(): Promise<Row[]> {
  const campaigns = 40;
  const runs: Calling[] = [];
  for (let run = 0; run < (quick ? 1 : 3); run++) runs.push(await call(campaigns, quick ? 500 : 1500));
  const of = (figure: keyof Calling): number => median(runs.map((run) => run[figure]));
  return [
    { what: `simulated calls per second, ${campaigns} campaigns`, parley: of('perSecond'), target: { atLeast: 2000 } },
    { what: 'CPU per call, from tick to end', parley: of('cpuUs'), unit: 'µs' },
  ];
}

const parts = { ticks: measureTicks, lines: measureLines, calls: measureCalls };
const rows = (await measureParts(parts)).flat();
report('dialer', rows, ['medians of interleaved rounds; ratios: median of all rounds (lowest to highest)']);
