import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createRotation, type Queue, type Rotation } from '../../../../src/base/fair/rotation.ts';

type Counted = Queue & { waiting: number; running: number };

const queueOf = (scope: string, lane: string, waiting: number): Counted => ({
  scope,
  lane,
  waiting,
  running: 0,
});

/** Starts jobs until no more may start. Returns the organization of each started job, in order. */
function startAll(slots: Rotation<Counted>): string[] {
  const started: string[] = [];
  for (let queue = slots.next(); queue; queue = slots.next()) {
    started.push(queue.scope);
    queue.waiting -= 1;
    queue.running += 1;
    if (queue.waiting === 0) slots.remove(queue);
  }
  return started;
}

function slotsOf(max: number, lane: number, queues: readonly Counted[]) {
  const slots = createRotation<Counted>(max, () => lane);
  for (const queue of queues) slots.add(queue);
  return slots;
}

test('an organization alone gets two thirds of a pool, and a newcomer starts at once', () => {
  const slots = slotsOf(
    12,
    100,
    Array.from({ length: 20 }, (_, lane) => queueOf('hog', `lane ${lane}`, 100)),
  );
  assert.equal(startAll(slots).length, 8);
  slots.add(queueOf('newcomer', 'own', 1));
  assert.deepEqual(startAll(slots), ['newcomer']);
});

test('organizations take turns, whatever the number of jobs that each has', () => {
  const slots = slotsOf(10, 1, [
    ...Array.from({ length: 50 }, (_, lane) => queueOf('many', `m${lane}`, 1)),
    queueOf('few', 'f1', 1),
    queueOf('few', 'f2', 1),
  ]);
  assert.deepEqual(startAll(slots).slice(0, 4), ['many', 'few', 'many', 'few']);
});

test('a full lane does not stop other lanes of its organization from starting jobs', () => {
  const [full, free] = [queueOf('acme', 'full', 10), queueOf('acme', 'free', 10)];
  const slots = slotsOf(100, 2, [full, free]);
  startAll(slots);
  assert.deepEqual([full.running, free.running], [2, 2]);
  slots.finished(full);
  assert.equal(slots.next(), full);
});

test('a lane that many organizations share starts their jobs in turn', () => {
  const slots = slotsOf(100, 1, [queueOf('one', 'host', 3), queueOf('two', 'host', 3)]);
  const order: string[] = [];
  for (let queue = slots.next(); queue; queue = slots.next()) {
    order.push(queue.scope);
    queue.waiting -= 1;
    slots.finished(queue);
    if (queue.waiting === 0) slots.remove(queue);
  }
  assert.deepEqual(order.toSorted(), ['one', 'one', 'one', 'two', 'two', 'two']);
  assert.notEqual(order[0], order[1]);
});

test('a lane that all organizations share keeps a slot free for a newcomer, too', () => {
  const slots = slotsOf(
    64,
    64,
    Array.from({ length: 30 }, (_, scope) => queueOf(`organization ${scope}`, 'carrier', 100)),
  );
  const before = startAll(slots).length;
  assert.ok(before >= 60 && before < 64, `${before} run`);
  slots.add(queueOf('newcomer', 'carrier', 1));
  assert.deepEqual(startAll(slots), ['newcomer']);
});

/** How often a job that ends makes the rotation look at a queue, while this many organizations wait for the same lane. */
function looksPerEnd(organizations: number): number {
  let looks = 0;
  const queues = Array.from({ length: organizations }, (_, scope) => ({
    ...queueOf('', 'host', 1_000_000),
    get scope() {
      looks += 1;
      return `organization ${scope}`;
    },
  }));
  const slots = slotsOf(64, 2, queues);
  let running = [slots.next()!, slots.next()!];
  assert.equal(slots.next(), undefined);
  looks = 0;
  for (let end = 0; end < 1000; end += 1) {
    slots.finished(running[0]!);
    running = [running[1]!, slots.next()!];
    assert.equal(slots.next(), undefined);
  }
  return looks / 1000;
}

test('the end of a job costs no more with a thousand organizations waiting for its lane than with ten', () => {
  const [few, many] = [looksPerEnd(10), looksPerEnd(1000)];
  assert.ok(many <= 2 * few, `${many} looks, ${few} with ten`);
});

test('organizations that wait for a full lane all get their turn', () => {
  const queues = Array.from({ length: 50 }, (_, scope) => queueOf(`organization ${scope}`, 'host', 100));
  const slots = slotsOf(64, 2, queues);
  const running = startAll(slots).map((scope) => queues.find((queue) => queue.scope === scope)!);
  const started = new Set<string>(running.map(({ scope }) => scope));
  for (let end = 0; end < 100; end += 1) {
    slots.finished(running.shift()!);
    const queue = slots.next()!;
    running.push(queue);
    started.add(queue.scope);
  }
  assert.equal(started.size, 50);
});

test('a held lane starts nothing until every hold is released', () => {
  const queue = queueOf('acme', 'lane', 5);
  const slots = slotsOf(10, 5, [queue]);
  slots.hold(queue);
  slots.hold(queue);
  assert.equal(slots.next(), undefined);
  slots.release(queue);
  assert.equal(slots.next(), undefined);
  slots.release(queue);
  assert.equal(slots.next(), queue);
});

type Step = { kind: 'arrive' | 'finish'; scope: number; lane: number };
const steps = fc.array(
  fc.record<Step>({
    kind: fc.constantFrom('arrive', 'finish'),
    scope: fc.nat({ max: 3 }),
    lane: fc.nat({ max: 4 }),
  }),
  { maxLength: 120 },
);

test('after any sequence of starts and ends, limits hold, free slots are used, and a newcomer finds a slot', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 4 }), steps, (max, lane, history) => {
      const slots = createRotation<Counted>(max, () => lane);
      const queues = new Map<string, Counted>();
      const all = (): Counted[] => [...queues.values()];
      const runningOf = (match: (queue: Counted) => boolean): number =>
        all()
          .filter(match)
          .reduce((sum, { running }) => sum + running, 0);
      for (const step of history) {
        const name = `${step.scope}/${step.lane}`;
        const queue = queues.get(name) ?? queueOf(`${step.scope}`, name, 0);
        queues.set(name, queue);
        if (step.kind === 'arrive') {
          queue.waiting += 1;
          slots.add(queue);
        } else if (queue.running > 0) {
          queue.running -= 1;
          slots.finished(queue);
        }
        startAll(slots);
        const running = runningOf(() => true);
        assert.ok(running <= max);
        for (const { running: own } of queues.values()) assert.ok(own <= lane);
        for (const scope of [0, 1, 2, 3].map(String)) {
          const own = runningOf((other) => other.scope === scope);
          const canStart = all().some((other) => other.scope === scope && other.waiting > 0 && other.running < lane);
          // An organization that waits has either used its share or the pool is full.
          if (canStart && own === 0) assert.equal(running, max, `${scope} waits beside ${max - running} free slots`);
          if (canStart && own > 0) assert.ok(own >= 2 * (max - running) - lane, `${scope} has ${own} of ${max}`);
        }
      }
    }),
    { numRuns: 500 },
  );
});

test('a queue that leaves without using the room in its lane lets others have it', () => {
  const queues = Array.from({ length: 12 }, (_, scope) => queueOf(`organization ${scope}`, 'host', 1));
  const slots = slotsOf(64, 1, queues);
  const first = slots.next()!;
  assert.equal(slots.next(), undefined, 'the lane is full');
  slots.remove(first);
  slots.finished(first); // some of those that wait for the lane may compete for it
  for (const queue of queues.slice(1, 10)) slots.remove(queue);
  assert.equal(slots.next()?.lane, 'host');
});
