import { minSteps, stepFor } from '../../parts/scale.ts';

type Plan = { course: ReadonlyArray<{ at: string; calls: number; left: number }> };
type Course = ReadonlyArray<{ atMs: number; calls: number; left: number }>;

const courseOf = (plan: Plan): Course =>
  plan.course.map(({ at, calls, left }) => ({ atMs: Date.parse(at), calls, left }));

function callsUntil(course: Course, atMs: number): number {
  const after = course.findIndex((point) => point.atMs >= atMs);
  if (after === -1) return course.at(-1)?.calls ?? 0;
  const [from, to] = [course[Math.max(0, after - 1)]!, course[after]!];
  const share = to.atMs === from.atMs ? 1 : (atMs - from.atMs) / (to.atMs - from.atMs);
  return from.calls + (to.calls - from.calls) * share;
}

/**
 * The likely calls of a plan by even steps of time, from its first opening, or from `sinceMs` if that is earlier, to its finish, and the
 * contacts left as a line over them.
 */
export function stepsOfCourse(plan: Plan, sinceMs = Infinity) {
  const course = courseOf(plan);
  const [first, last] = [course[0], course.at(-1)];
  if (!first || !last) return { stepSec: 0, steps: [], points: [] };
  const beginMs = Math.min(first.atMs, sinceMs);
  const stepSec = stepFor((last.atMs - beginMs) / 1000);
  const stepMs = stepSec * 1000;
  const from = Math.floor(beginMs / stepMs) * stepMs;
  const count = Math.ceil((last.atMs - from) / stepMs);
  const steps = Array.from({ length: count }, (_, index) => {
    const atMs = from + index * stepMs;
    return { atMs, calls: Math.round(callsUntil(course, atMs + stepMs)) - Math.round(callsUntil(course, atMs)) };
  });
  const room = Math.max(count, minSteps) * stepMs;
  return { stepSec, steps, points: course.map(({ atMs, left }) => ({ at: (atMs - from) / room, value: left })) };
}
