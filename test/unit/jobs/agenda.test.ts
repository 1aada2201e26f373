import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createAgenda } from '../../../src/jobs/agenda.ts';

test('an agenda returns each queue at its earliest instant, once, the earliest first', () => {
  const entries = fc.array(fc.record({ queue: fc.nat({ max: 5 }), at: fc.nat({ max: 20 }) }), { maxLength: 60 });
  fc.assert(
    fc.property(entries, fc.array(fc.nat({ max: 25 }), { maxLength: 10 }), (added, looks) => {
      let now = 0;
      const agenda = createAgenda<number>({ now: () => now });
      const expected = new Map<number, number>();
      for (const { queue, at } of added) {
        agenda.add(queue, at);
        expected.set(queue, Math.min(at, expected.get(queue) ?? Number.POSITIVE_INFINITY));
      }
      for (const at of looks.toSorted((a, b) => a - b)) {
        now = at;
        const first = Math.min(...expected.values());
        assert.equal(agenda.next(), expected.size === 0 ? undefined : first);
        const due = agenda.takeDue(100);
        const instants = due.map((queue) => expected.get(queue)!);
        assert.deepEqual(
          instants,
          instants.toSorted((a, b) => a - b),
        );
        assert.deepEqual(
          due.toSorted((a, b) => a - b),
          [...expected]
            .filter(([, dueAt]) => dueAt <= now)
            .map(([queue]) => queue)
            .toSorted((a, b) => a - b),
        );
        for (const queue of due) expected.delete(queue);
      }
    }),
  );
});

test('an agenda hands over no more queues than asked for, and keeps the others', () => {
  const agenda = createAgenda<string>({ now: () => 10 });
  for (const [index, queue] of ['a', 'b', 'c'].entries()) agenda.add(queue, index);
  assert.deepEqual(agenda.takeDue(2), ['a', 'b']);
  assert.deepEqual(agenda.takeDue(2), ['c']);
  assert.deepEqual(agenda.takeDue(2), []);
});

test('an agenda forgets replaced instants, however often a queue is put off again', () => {
  let now = 0;
  const agenda = createAgenda<string>({ now: () => now });
  agenda.add('soon', 1e6);
  for (now = 0; now < 50_000; now += 1) {
    agenda.add('put off', 1e9);
    agenda.add('put off', now);
    assert.deepEqual(agenda.takeDue(10), ['put off']);
  }
  assert.deepEqual([agenda.has('soon'), agenda.has('put off'), agenda.next()], [true, false, 1e6]);
});
