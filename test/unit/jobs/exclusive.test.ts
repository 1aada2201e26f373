import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hasStartable, takeStartable, textsInHand } from '../../../src/jobs/exclusive.ts';
import type { Job } from '../../../src/kernel/queue.ts';

/** Makes jobs with these `exclusive` texts; a job's id is its place in the list. */
const jobs = (...texts: Array<string | null>): Array<Job<never>> =>
  texts.map((exclusive, id) => ({ id, exclusive }) as Job<never>);
const lane = (waiting: Array<string | null>, running: Array<string | null> = []) => ({
  waiting: jobs(...waiting),
  running: new Set(jobs(...running)),
});

test('the next job is the first one whose text no running job has', () => {
  const queue = lane(['a', 'a', null, 'b'], ['a']);
  assert.deepEqual([takeStartable(queue)?.id, takeStartable(queue)?.id, takeStartable(queue)], [2, 3, undefined]);
  assert.deepEqual(
    queue.waiting.map(({ id }) => id),
    [0, 1],
  );
  assert.equal(takeStartable(lane([null], [null]))?.id, 0, 'jobs without a text wait for nobody');
  assert.equal(takeStartable(lane([])), undefined);
});

test('of the jobs with one text, only one could start, and none beside a running one', () => {
  assert.equal(hasStartable(lane(['a', 'a', 'b']), 2), true);
  assert.equal(hasStartable(lane(['a', 'a', 'b']), 3), false);
  assert.equal(hasStartable(lane(['a', 'b'], ['a']), 1), true);
  assert.equal(hasStartable(lane(['a', 'b'], ['a']), 2), false);
  assert.equal(hasStartable(lane([null, null, null], [null]), 3), true);
  assert.equal(hasStartable(lane([null, null]), 3), false);
});

test('the texts in hand are those of waiting and of running jobs, each once', () => {
  assert.deepEqual(textsInHand(lane(['a', null, 'a', 'b'], ['c', 'b'])), ['c', 'b', 'a']);
  assert.deepEqual(textsInHand(lane([null], [null])), []);
});
