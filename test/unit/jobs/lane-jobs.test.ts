import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createLaneJobs } from '../../../src/jobs/lane-jobs.ts';
import type { Job } from '../../../src/kernel/queue.ts';

/** Makes jobs with these `exclusive` texts; a job's id is its position in the list. */
const jobs = (...texts: Array<string | null>): Array<Job<never>> =>
  texts.map((exclusive, id) => ({ id, exclusive }) as Job<never>);

function lane(waiting: Array<string | null>, running: Array<string | null> = []) {
  const made = createLaneJobs();
  made.push(jobs(...waiting));
  for (const job of jobs(...running)) made.started(job);
  return made;
}

test('the next job is the first one whose text no running job has', () => {
  const queue = lane(['a', 'a', null, 'b'], ['a']);
  assert.deepEqual([queue.takeStartable()?.id, queue.takeStartable()?.id, queue.takeStartable()], [2, 3, undefined]);
  assert.deepEqual(
    queue.takeAll().map(({ id }) => id),
    [0, 1],
  );
  assert.equal(lane([null], [null]).takeStartable()?.id, 0, 'jobs without a text wait for nobody');
  assert.equal(lane([]).takeStartable(), undefined);
});

test('of the jobs with one text, only one could start, and none beside a running one', () => {
  assert.equal(lane(['a', 'a', 'b']).hasStartable(2), true);
  assert.equal(lane(['a', 'a', 'b']).hasStartable(3), false);
  assert.equal(lane(['a', 'b'], ['a']).hasStartable(1), true);
  assert.equal(lane(['a', 'b'], ['a']).hasStartable(2), false);
  assert.equal(lane([null, null, null], [null]).hasStartable(3), true);
  assert.equal(lane([null, null]).hasStartable(3), false);
});

test('the texts in hand are those of waiting and of running jobs, each once', () => {
  assert.deepEqual(lane(['a', null, 'a', 'b'], ['c', 'b']).textsInHand(), ['c', 'b', 'a']);
  assert.deepEqual(lane([null], [null]).textsInHand(), []);
});

const text = fc.constantFrom('a', 'b', 'c', null);
/** What may happen to a lane: jobs are claimed, the next starts, one starts without having waited, one ends, or all are dropped. */
const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ does: fc.constant('push' as const), texts: fc.array(text, { maxLength: 5 }) }) },
  { weight: 5, arbitrary: fc.record({ does: fc.constant('take' as const) }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('start' as const), text }) },
  { weight: 4, arbitrary: fc.record({ does: fc.constant('finish' as const), which: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('drop' as const) }) },
);

/** The same answers, by walking lists of the waiting and running jobs. */
function walked(waiting: ReadonlyArray<Job<never>>, running: ReadonlyArray<Job<never>>) {
  const runs = ({ exclusive }: Job<never>): boolean => running.some((other) => other.exclusive === exclusive);
  const isFirst = (job: Job<never>): boolean => waiting.find(({ exclusive }) => exclusive === job.exclusive) === job;
  const startable = waiting.filter((job) => job.exclusive === null || (isFirst(job) && !runs(job)));
  const texts = new Set([...running, ...waiting].flatMap(({ exclusive }) => exclusive ?? []));
  return { startable, texts: [...texts].toSorted() };
}

test('the counts agree with a walk over the jobs, whatever happens to the lane', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const queue = createLaneJobs();
      let waiting: Array<Job<never>> = [];
      const running: Array<Job<never>> = [];
      let id = 0;
      const make = (exclusive: string | null) => ({ id: id++, exclusive }) as Job<never>;
      for (const each of steps) {
        if (each.does === 'push') {
          const pushed = each.texts.map((exclusive) => make(exclusive));
          queue.push(pushed);
          waiting.push(...pushed);
        } else if (each.does === 'take') {
          const job = queue.takeStartable();
          assert.equal(job, walked(waiting, running).startable[0]);
          if (!job) continue;
          waiting = waiting.filter((other) => other !== job);
          queue.started(job);
          running.push(job);
        } else if (each.does === 'start') {
          const job = make(each.text);
          queue.started(job);
          running.push(job);
        } else if (each.does === 'finish' && running.length > 0) {
          queue.finished(running.splice(each.which % running.length, 1)[0]!);
        } else if (each.does === 'drop') {
          assert.deepEqual(queue.takeAll(), waiting);
          waiting = [];
        }
        const { startable, texts } = walked(waiting, running);
        assert.deepEqual([queue.waitingCount(), queue.runningCount()], [waiting.length, running.length]);
        assert.equal(queue.hasStartable(startable.length), true);
        assert.equal(queue.hasStartable(startable.length + 1), false);
        assert.deepEqual(queue.textsInHand().toSorted(), texts);
        for (const one of ['a', 'b', 'c'])
          assert.equal(
            queue.isAwaited(one),
            waiting.some(({ exclusive }) => exclusive === one),
          );
      }
    }),
  );
});
