import assert from 'node:assert/strict';
import { type FaultPoint, faultPoints } from '../../src/base/fault-points.ts';
import { settle, type Summary } from './aftermath.ts';
import { inspect } from './invariants.ts';
import { type Random, randomOf } from './random.ts';
import { within } from './waiting.ts';
import { type Begun, createWorld, type Driver, type World } from './world.ts';

export type Scenario = {
  driver: Driver;
  seed: number;
  /** How its lives end, after the first, which is spent on preparing. */
  ends: readonly End[];
  /** Attempts after the first; a retry comes a minute later at the earliest. */
  retries?: number;
};

/** How a life ends: at a point, or at any moment. */
export type End = FaultPoint | 'any moment';

/** Contract, section 6, "Dialing": after a restart work goes on within 20 s. */
const resumeLimitMs = 20_000;
/** Until so much has happened, on a machine that does ten other things. */
const crashLimitMs = 60_000;

const startPoints: readonly FaultPoint[] = ['migration.unrecorded', 'bootstrap.uncommitted'];
/** Nobody adds knowledge here: knowledge.test.ts does. */
const knowledgePoints: readonly FaultPoint[] = ['ingestion.unrecorded', 'page.unrecorded'];
const workPoints = faultPoints.filter((point) => ![...startPoints, ...knowledgePoints].includes(point));

/** Kills beside those of `ends`: two in the first start, one while the work begins, one when all is done. */
export const furtherKills = startPoints.length + 2;

/** Kills a server that works, again and again; in the end everything that was asked of it is done, once. */
export async function survive({ driver, seed, ends, retries = 0 }: Scenario): Promise<Summary> {
  const random = randomOf(seed);
  const world = await createWorld(driver, seed);
  try {
    for (const point of startPoints) {
      assert.equal(await world.server.start({ crashAt: `${point}:1` }), 'ended', `the first start passes ${point}`);
    }
    await world.server.start();
    const begun = await world.begin({ retries, onUnavailable: () => assert.fail('503 though the storage is well') });
    await die(world, begun, random, 'any moment');
    for (const end of ends) {
      const crashAt = end === 'any moment' ? {} : { crashAt: `${end}:${random.between(1, 12)}` };
      await world.server.start(crashAt);
      await die(world, begun, random, end);
    }
    await world.server.start();
    const summary = await settle(world, begun);
    const isError = (line: string): boolean => line.includes('"level":"error"');
    assert.deepEqual(world.server.log().split('\n').filter(isError), [], 'no errors are logged');
    return summary;
  } catch (error) {
    console.error(`The server's last words:\n${world.server.log().slice(-4000)}`);
    throw error;
  } finally {
    await world.close();
  }
}

/** Every point in turn, each time round in an order of its own, and a kill at any moment after every second of them. */
export function endsOf(seed: number, many: number): End[] {
  const random = randomOf(seed);
  const plan: End[] = [];
  while (plan.length < many) {
    const points = [...workPoints];
    while (points.length > 0) {
      plan.push(...points.splice(random.between(0, points.length - 1), 1));
      if (points.length % 2 === 1) plan.push('any moment');
    }
  }
  return plan.slice(0, many);
}

/** From a started server to its death; then looks at what it left behind. */
async function die(
  { driver, server, work, answers }: World,
  { writers }: Begun,
  random: Random,
  end: End,
): Promise<void> {
  const gone = server.gone();
  // Now and then it dies before it has done anything.
  if (end !== 'any moment' || random.chance(0.7)) {
    await within(resumeLimitMs, 'work goes on after a restart', Promise.race([work.more(1), gone]));
  }
  if (end === 'any moment') {
    const [seen, many] = random.chance(0.5) ? [work, random.between(1, 150)] : [answers, random.between(1, 200)];
    await within(crashLimitMs, 'something to kill it at', seen.more(many));
    await server.kill();
  }
  const { signal } = await within(crashLimitMs, `passing ${end}`, gone);
  assert.equal(signal, 'SIGKILL', 'it does not end but by our hand');
  inspect(server.data, { simulated: driver === 'simulated', written: writers.map(({ written }) => written) });
}
