import assert from 'node:assert/strict';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { run } from '../cli/support.ts';
import type { PostgresServer } from '../support/postgres.ts';
import { finish, type Summary } from './aftermath.ts';
import { checkWritten, inspectFile } from './invariants.ts';
import { createNodes, type Node, type Nodes } from './nodes.ts';
import { randomOf } from './random.ts';
import { apiKey } from './server.ts';
import { until, within } from './waiting.ts';
import { type Begun, createWorldAround, type Driver, type World } from './world.ts';

/** What happens to the active node, to its network or to the database. */
export const disruptions = ['kill', 'freeze', 'cut off', 'lost commits', 'immediate', 'fast', 'stop'] as const;
export type Disruption = (typeof disruptions)[number];

export type FailOvers = {
  postgres: PostgresServer;
  driver: Driver;
  seed: number;
  plan: readonly Disruption[];
  directory: string;
  /** How soon a node must be ready again. */
  readyLimitMs: number;
  tell(text: string): void;
};

/** The longest times until a node was ready, by disruption. */
export type FailedOver = Summary & { readyMs: Partial<Record<Disruption, number>>; count: number };

const frozenMs = 30_000;
const lostCommits = 5;
/** How long a process may take to end on a very busy machine. */
const endLimitMs = 60_000;
const workLimitMs = 120_000;
const settleLimitMs = 400_000;

/**
 * Two nodes work on one database, while clients write, a campaign calls and webhooks are delivered. One is disrupted again and again; each
 * time a node must be ready soon, and what was acknowledged must be there. In the end all requested work was done, nobody was dialed twice,
 * and each event was delivered under one id.
 */
export async function failOverNodes({
  postgres,
  driver,
  seed,
  plan,
  directory,
  readyLimitMs,
  tell,
}: FailOvers): Promise<FailedOver> {
  const random = randomOf(seed);
  const database = `nodes_${seed}`;
  postgres.run('postgres', `CREATE DATABASE ${database}`);
  const world = await createWorldAround(
    (folder, settings) =>
      createNodes(folder, settings, { names: ['one', 'two'], at: { folder: postgres.folder, database } }),
    { driver, seed },
  );
  const { server, work, answers } = world;
  const readyMs: FailedOver['readyMs'] = {};
  try {
    for (const node of server.all) await node.start();
    const begun = await world.begin({ onUnavailable: () => setTimeout(100) });
    for (const [index, disruption] of plan.entries()) {
      await within(workLimitMs, 'work', Promise.all([answers.more(random.between(30, 200)), work.more(20)]));
      const ms = Math.round(await disrupt[disruption]({ nodes: server, postgres, readyLimitMs }));
      readyMs[disruption] = Math.max(readyMs[disruption] ?? 0, ms);
      tell(`${index + 1}. ${disruption}: ready after ${ms} ms`);
      for (const { written } of begun.writers) checkWritten((query) => rowsOf(postgres, database, query), written);
    }
    const summary = await finish(world, begun, settleLimitMs);
    await inspectAfterwards(world, begun, { url: postgres.url(database), directory });
    return { ...summary, readyMs, count: plan.length };
  } catch (error) {
    const rows = postgres.run(database, 'SELECT clock_timestamp(), * FROM active_node; SELECT * FROM nodes;');
    console.error(`${rows}The end of the nodes' logs:\n${server.log()}`);
    throw error;
  } finally {
    await world.close();
  }
}

/** Each kind of disruption as often as the others, in random order. */
export function planOf(seed: number, many: number): Disruption[] {
  const random = randomOf(seed);
  const plan: Disruption[] = [];
  while (plan.length < many) {
    const kinds = [...disruptions];
    while (kinds.length > 0) plan.push(...kinds.splice(random.between(0, kinds.length - 1), 1));
  }
  return plan.slice(0, many);
}

const rowsOf = (postgres: PostgresServer, database: string, query: string): string[][] =>
  postgres
    .run(database, `${query};`)
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => line.split('|'));

/** Stops the nodes, moves what they have left to a file, and checks that. */
async function inspectAfterwards(
  { server, driver }: World<Nodes>,
  { writers }: Begun,
  { url, directory }: { url: string; directory: string },
): Promise<void> {
  for (const node of server.all.toSorted((a, b) => Number(a.state() === 'ready') - Number(b.state() === 'ready'))) {
    node.signal('SIGTERM');
    assert.equal((await within(endLimitMs, 'the end after SIGTERM', node.ended())).code, 0);
  }
  const copy = join(directory, `copy-${process.hrtime.bigint()}`);
  const copied = await run(['store', 'copy', '--from', url, '--to', `sqlite:${copy}`]);
  assert.equal(copied.code, 0, copied.err);
  const written = writers.map((writer) => writer.written);
  inspectFile(join(copy, 'parley.db'), { simulated: driver === 'simulated', written, done: true });
}

type Disrupted = { nodes: Nodes; postgres: PostgresServer; readyLimitMs: number };

/** Each resolves to the time from the disruption, or from the end of a stopped process, until a node has acknowledged a write. */
const disrupt: Readonly<Record<Disruption, (on: Disrupted) => Promise<number>>> = {
  async kill({ nodes, readyLimitMs }) {
    const [active, other] = rolesOf(nodes);
    active.signal('SIGKILL');
    const ms = await writes([other], readyLimitMs);
    await active.start();
    return ms;
  },
  async freeze({ nodes, readyLimitMs }) {
    const [active, other] = rolesOf(nodes);
    active.signal('SIGSTOP');
    const since = performance.now();
    try {
      const ms = await writes([other], readyLimitMs);
      const commits = active.network.commits();
      await setTimeout(frozenMs - (performance.now() - since));
      active.signal('SIGCONT');
      await endsGivenUp(active, commits);
      return ms;
    } finally {
      active.signal('SIGCONT');
    }
  },
  async 'cut off'({ nodes, readyLimitMs }) {
    const [active, other] = rolesOf(nodes);
    active.network.drop();
    const ms = await writes([other], readyLimitMs);
    const commits = active.network.commits();
    await active.network.restore();
    await endsGivenUp(active, commits);
    return ms;
  },
  async 'lost commits'({ nodes, readyLimitMs }) {
    const [active] = rolesOf(nodes);
    for (let lost = 0; lost < lostCommits; lost += 1)
      await within(workLimitMs, 'a commit', active.network.swallowCommitOf(''));
    return writes(nodes.all, readyLimitMs);
  },
  immediate: restarted('immediate'),
  fast: restarted('fast'),
  async stop({ nodes, readyLimitMs }) {
    const [active, other] = rolesOf(nodes);
    active.signal('SIGTERM');
    const { code } = await within(endLimitMs, 'the end after SIGTERM', active.ended());
    assert.equal(code, 0);
    const ms = await writes([other], readyLimitMs);
    await active.start();
    return ms;
  },
};

function restarted(mode: 'immediate' | 'fast') {
  return async ({ nodes, postgres, readyLimitMs }: Disrupted): Promise<number> => {
    postgres.restart(mode);
    return writes(nodes.all, readyLimitMs);
  };
}

function rolesOf({ all }: Nodes): [active: Node, other: Node] {
  const active = all.find((node) => node.state() === 'ready');
  const other = all.find((node) => node.state() === 'standby');
  assert.ok(active && other, all.map((node) => `${node.name} is ${node.state()}`).join(', '));
  return [active, other];
}

let probes = 0;

/** Resolves to the time after which one of the nodes has acknowledged a write. */
async function writes(nodes: readonly Node[], limitMs: number): Promise<number> {
  const since = performance.now();
  const writesOn = ({ url }: Node): Promise<boolean> =>
    fetch(`${url}/api/v1/contacts/`, {
      method: 'POST',
      headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
      body: JSON.stringify({ company: 'probe', email: `probe.${(probes += 1)}@example.com` }),
      signal: AbortSignal.timeout(limitMs),
    }).then(
      ({ status }) => status === 200,
      () => false,
    );
  await until(limitMs, 'a node is ready', async () => (await Promise.all(nodes.map(writesOn))).includes(true));
  return performance.now() - since;
}

/** A node that was given up ends by itself, commits nothing before, and is started anew. */
async function endsGivenUp(node: Node, commits: number): Promise<void> {
  const { code } = await within(endLimitMs, `the end of ${node.name}`, node.ended());
  assert.equal(code, 1, 'a node that was given up ends by itself');
  assert.equal(node.network.commits(), commits, 'it committed nothing');
  await node.start();
}
