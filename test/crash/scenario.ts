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
  /** How each server process ends, not counting the first ones, which are killed during the start. */
  ends: readonly End[];
  /** Retries per campaign contact; each comes at least a minute later. */
  retries?: number;
};

/** How a server process is killed: at a fault point or at a random moment. */
export type End = FaultPoint | 'any moment';

/** After a restart work resumes within 20 s (docs/api/campaigns.md, "Dialing and retries"). */
const resumeLimitMs = 20_000;
/** Long enough to reach the next crash on a very busy machine. */
const crashLimitMs = 120_000;

const startPoints: readonly FaultPoint[] = ['migration.unrecorded', 'bootstrap.uncommitted'];
/** This scenario adds no knowledge, so it never passes these points; knowledge.test.ts does. */
const knowledgePoints: readonly FaultPoint[] = ['ingestion.unrecorded', 'page.unrecorded'];
/** Only the command `restore` passes these: restore.test.ts. */
const restorePoints: readonly FaultPoint[] = faultPoints.filter((point) => point.startsWith('restore.'));
/** Only the carrier sip passes these: sip-calls.test.ts, sip-incoming.test.ts. */
const sipPoints: readonly FaultPoint[] = ['call-answer.unrecorded', 'incoming.unanswered'];
/** This scenario has nothing that is done in batches; batches.test.ts does. */
const batchPoints: readonly FaultPoint[] = ['batch.uncommitted', 'batch.committed'];
/** This scenario has no schedule of backups; backup.test.ts does. */
const backupPoints: readonly FaultPoint[] = ['backup.unnamed'];
/** This scenario erases nobody; erasure.test.ts does. */
const erasurePoints = faultPoints.filter((point) => point.startsWith('erasure.'));
const otherPoints = [
  ...erasurePoints,
  ...backupPoints,
  ...startPoints,
  ...sipPoints,
  ...batchPoints,
  ...knowledgePoints,
  ...restorePoints,
];
const workPoints = faultPoints.filter((point) => !otherPoints.includes(point));

/** Kills besides those of `ends`: one at each fault point of the first start, one while work begins, and one when all work is done. */
export const furtherKills = startPoints.length + 2;

/** Kills a working server again and again, and checks that in the end all requested work was done exactly once. */
export async function survive({ driver, seed, ends, retries = 0 }: Scenario): Promise<Summary> {
  const random = randomOf(seed);
  const world = await createWorld(driver, seed);
  try {
    for (const point of startPoints) {
      assert.equal(await world.server.start({ crashAt: `${point}:1` }), 'ended', `the first start passes ${point}`);
    }
    await world.server.start();
    const begun = await world.begin({ retries, onUnavailable: () => assert.fail('503 although the storage works') });
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
    console.error(`The end of the server's log:\n${world.server.log().slice(-4000)}`);
    throw error;
  } finally {
    await world.close();
  }
}

/** All fault points in random order, repeated until there are enough, with a kill at a random moment after every second point. */
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

/** Waits until the started server has died, or kills it, and then checks the data it left behind. */
async function die(
  { driver, server, work, answers }: World,
  { writers }: Begun,
  random: Random,
  end: End,
): Promise<void> {
  const gone = server.gone();
  // Sometimes kill the server before it has done any work.
  if (end !== 'any moment' || random.chance(0.7)) {
    await within(resumeLimitMs, 'work goes on after a restart', Promise.race([work.more(1), gone]));
  }
  if (end === 'any moment') {
    const [seen, many] = random.chance(0.5) ? [work, random.between(1, 150)] : [answers, random.between(1, 200)];
    await within(crashLimitMs, 'the event at which the server is killed', seen.more(many));
    await server.kill();
  }
  const { signal } = await within(crashLimitMs, `passing ${end}`, gone);
  assert.equal(signal, 'SIGKILL', 'the server ends only because the test kills it');
  inspect(server.data, { simulated: driver === 'simulated', written: writers.map(({ written }) => written) });
}
