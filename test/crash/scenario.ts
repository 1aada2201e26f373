import assert from 'node:assert/strict';
import { type FaultPoint, faultPoints } from '../../src/base/fault-points.ts';
import { inspect } from './invariants.ts';
import { type Random, randomOf } from './random.ts';
import { until, within } from './waiting.ts';
import { type Begun, createWorld, type Driver, type World } from './world.ts';

export type Scenario = {
  driver: Driver;
  seed: number;
  /** How often the server is killed while it works, beside the kills of its first start and at the end. */
  cycles: number;
  /** Attempts after the first; a retry comes a minute later at the earliest. */
  retries?: number;
};

/** Contract, section 6, "Dialing": after a restart work goes on within 20 s. */
const resumeLimitMs = 20_000;
/** Reaching any point, or so many events, takes a busy machine much less. */
const crashLimitMs = 60_000;

const startPoints: readonly FaultPoint[] = ['migration.unrecorded', 'bootstrap.uncommitted'];
const workPoints = faultPoints.filter((point) => !startPoints.includes(point));

/** Kills a server that works, again and again; in the end everything that was asked of it has been done, once. */
export async function survive({ driver, seed, cycles, retries = 0 }: Scenario): Promise<void> {
  const random = randomOf(seed);
  const world = await createWorld(driver, seed);
  try {
    for (const point of startPoints) {
      assert.equal(await world.server.start({ crashAt: `${point}:1` }), 'ended', `the first start passes ${point}`);
    }
    await world.server.start();
    const begun = await world.begin({ retries });
    for (const crashAt of planOf(random, cycles)) await oneLife(world, begun, random, crashAt);
    await finish(world, begun, retries);
  } catch (error) {
    console.error(world.server.log().split('\n').slice(-40).join('\n'));
    throw error;
  } finally {
    await world.close();
  }
}

/** Every point in turn, in an order of its own each time round, and after each two of them a kill at any moment. */
function planOf(random: Random, cycles: number): Array<FaultPoint | undefined> {
  const plan: Array<FaultPoint | undefined> = [];
  while (plan.length < cycles) {
    const points = [...workPoints];
    while (points.length > 0) {
      plan.push(...points.splice(random.between(0, points.length - 1), 1));
      if (points.length % 2 === 0) plan.push(undefined);
    }
  }
  return plan.slice(0, cycles);
}

/** From one ready server to the next: its death, what it left behind, and that its successor goes on with the work. */
async function oneLife(world: World, begun: Begun, random: Random, crashAt: FaultPoint | undefined): Promise<void> {
  const { server, tally } = world;
  if (crashAt === undefined) {
    await within(crashLimitMs, 'work', tally.more(random.between(1, 150)));
    await server.kill();
  } else {
    await server.kill();
  }
}
