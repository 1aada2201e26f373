import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stepsOfCourse } from '../../../src/dashboard/pages/campaigns/course.ts';

const course = (from: string, minutes: number, calls: number) =>
  Array.from({ length: 61 }, (_, index) => ({
    at: new Date(Date.parse(from) + (index * minutes * 60_000) / 60).toISOString(),
    calls: Math.round((calls * index) / 60),
    left: calls - Math.round((calls * index) / 60),
  }));

test('a list that is done within one opening is drawn by even steps of it, with all of its calls', () => {
  const { stepSec, steps, points } = stepsOfCourse({ course: course('2026-03-02T09:07:00.000Z', 480, 4800) });
  assert.equal(stepSec, 900);
  assert.equal(steps.length, 33);
  assert.equal(new Date(steps[0]!.atMs).toISOString(), '2026-03-02T09:00:00.000Z');
  assert.equal(
    steps.reduce((sum, { calls }) => sum + calls, 0),
    4800,
  );
  assert.deepEqual([steps[0]!.calls, steps[1]!.calls, steps.at(-1)!.calls], [80, 150, 70]);
  assert.ok(points[0]!.at > 0.01 && points[0]!.at < 0.02);
  assert.ok(points.at(-1)!.at < 1 && points.at(-1)!.at > 0.98);
  assert.equal(points.at(-1)!.value, 0);
});

test('a short list takes one step, and leaves room on the axis', () => {
  const { stepSec, steps, points } = stepsOfCourse({ course: course('2026-03-02T09:00:00.000Z', 1 / 15, 20) });
  assert.deepEqual([stepSec, steps.length, steps[0]!.calls], [5, 1, 20]);
  assert.ok(points.at(-1)!.at < 0.2);
});

test('steps may begin before the course, with no likely calls until then', () => {
  const plan = { course: course('2026-03-02T12:00:00.000Z', 240, 2400) };
  const { stepSec, steps, points } = stepsOfCourse(plan, Date.parse('2026-03-02T08:10:00.000Z'));
  assert.deepEqual([stepSec, steps.length], [900, 32]);
  assert.equal(new Date(steps[0]!.atMs).toISOString(), '2026-03-02T08:00:00.000Z');
  assert.deepEqual([steps[0]!.calls, steps[15]!.calls, steps[16]!.calls], [0, 0, 150]);
  assert.equal(points[0]!.at, 0.5);
});

test('a plan for nobody has no steps', () => {
  assert.deepEqual(stepsOfCourse({ course: [] }).steps, []);
});
