import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  begin,
  giveUpMs,
  type Input,
  type Kind,
  type Machine,
  type Output,
  step,
  type Timer,
} from '../../../src/telephony/transaction/machine.ts';

/** A machine with its timers, on a time that `run` moves. */
function play(kind: Kind, reliable: boolean) {
  let machine: Machine;
  let nowMs = 0;
  const timers = new Map<Timer, number>();
  const outputs: Output[] = [];
  const times: Array<[atMs: number, type: Output['type']]> = [];
  const take = (next: { machine: Machine; outputs: Output[] }): Output[] => {
    machine = next.machine;
    for (const output of next.outputs) {
      if (output.type === 'start') timers.set(output.timer, nowMs + output.ms);
      else if (output.type === 'stop') timers.delete(output.timer);
      else {
        outputs.push(output);
        times.push([nowMs, output.type]);
      }
    }
    return next.outputs;
  };
  take(begin(kind, reliable));
  return {
    give: (input: Input) => take(step(machine, input)),
    state: () => machine.state,
    outputs,
    times,
    timers,
    /** Lets `ms` pass, or all time until no timer is left. */
    run(ms = Number.POSITIVE_INFINITY): void {
      const until = nowMs + ms;
      for (let guard = 0; guard < 1000; guard += 1) {
        const [timer, at] = [...timers].toSorted((a, b) => a[1] - b[1])[0] ?? [];
        if (timer === undefined || at! > until) break;
        nowMs = at!;
        timers.delete(timer);
        take(step(machine, { type: 'timer', timer }));
      }
      if (until !== Number.POSITIVE_INFINITY) nowMs = until;
    },
  };
}

const count = (outputs: readonly Output[], type: Output['type']): number =>
  outputs.filter((output) => output.type === type).length;
const timesOf = (played: ReturnType<typeof play>, type: Output['type']): number[] =>
  played.times.filter(([, own]) => own === type).map(([at]) => at);

test('an INVITE without an answer is repeated at doubling gaps and given up after 32 s', () => {
  const played = play('invite-client', false);
  played.run();
  assert.deepEqual(timesOf(played, 'send'), [0, 500, 1500, 3500, 7500, 15_500, 31_500]);
  assert.deepEqual(timesOf(played, 'timed-out'), [giveUpMs]);
  assert.equal(played.state(), 'terminated');
});

test('another request without an answer is repeated at gaps of at most 4 s', () => {
  const played = play('client', false);
  played.run();
  assert.deepEqual(timesOf(played, 'send').slice(0, 6), [0, 500, 1500, 3500, 7500, 11_500]);
  assert.deepEqual(timesOf(played, 'timed-out'), [giveUpMs]);
});

test('nothing is repeated over TCP', () => {
  for (const kind of ['invite-client', 'client'] as const) {
    const played = play(kind, true);
    played.run();
    assert.deepEqual(timesOf(played, 'send'), [0]);
    assert.deepEqual(timesOf(played, 'timed-out'), [giveUpMs]);
  }
});

test('a refused INVITE is acknowledged each time that the refusal comes', () => {
  const played = play('invite-client', false);
  played.give({ type: 'response', status: 486 });
  played.give({ type: 'response', status: 486 });
  assert.equal(count(played.outputs, 'send-ack'), 2);
  assert.equal(count(played.outputs, 'deliver'), 1);
  played.run();
  assert.equal(played.state(), 'terminated');
});

test('every 200 of a forked INVITE is handed on for 32 s', () => {
  const played = play('invite-client', false);
  played.give({ type: 'response', status: 180 });
  for (const _ of [1, 2, 3]) played.give({ type: 'response', status: 200 });
  assert.equal(count(played.outputs, 'deliver'), 4);
  played.run(giveUpMs);
  assert.equal(played.state(), 'terminated');
});

test('a cancelled INVITE that the other side never ends is given up', () => {
  const played = play('invite-client', false);
  played.give({ type: 'response', status: 180 });
  played.run(60_000);
  assert.equal(played.state(), 'proceeding');
  played.give({ type: 'cancelled' });
  played.run();
  assert.equal(count(played.outputs, 'timed-out'), 1);
});

test('a final refusal of ours is repeated until the ACK comes', () => {
  const played = play('invite-server', false);
  played.give({ type: 'answer', status: 486 });
  played.run(4000);
  assert.deepEqual(timesOf(played, 'send'), [0, 500, 1500, 3500]);
  played.give({ type: 'ack' });
  played.run();
  assert.equal(count(played.outputs, 'send'), 4);
  assert.equal(played.state(), 'terminated');
});

const status = fc.oneof(
  fc.constantFrom(100, 180, 183, 200, 302, 401, 404, 486, 500, 503, 603),
  fc.integer({ min: 100, max: 699 }),
);
const input: fc.Arbitrary<Input> = fc.oneof(
  status.map((value) => ({ type: 'response' as const, status: value })),
  status.map((value) => ({ type: 'answer' as const, status: value })),
  fc.constantFrom<Input>({ type: 'request' }, { type: 'ack' }, { type: 'broken' }, { type: 'cancelled' }),
);
const kinds = fc.constantFrom<Kind>('invite-client', 'client', 'invite-server', 'server');
const events = fc.array(fc.tuple(fc.integer({ min: 0, max: 40_000 }), input), { maxLength: 30 });

test('a client hears of exactly one end, whatever comes in whatever order, and every transaction ends', () => {
  fc.assert(
    fc.property(kinds, fc.boolean(), events, (kind, reliable, sequence) => {
      const played = play(kind, reliable);
      let finals = 0;
      let isAccepted = false;
      for (const [waitMs, event] of sequence) {
        played.run(waitMs);
        const isOver = played.state() === 'terminated';
        const given = played.give(event);
        if (isOver) assert.deepEqual(given, [], 'a transaction that has ended does nothing');
        const isFinal = event.type === 'response' && event.status >= 200 && count(given, 'deliver') > 0;
        // Further 2xx responses may be passed on (RFC 6026): those of forks, and repeated ones that need another ACK.
        if (isFinal && !(isAccepted && event.status < 300)) finals += 1;
        if (isFinal && event.status < 300 && kind === 'invite-client') isAccepted = true;
      }
      if (kind.endsWith('client')) {
        played.give({ type: 'cancelled' }); // the ring time-out of the dialog; it changes nothing for other requests
        played.run();
        const ends = count(played.outputs, 'timed-out') + count(played.outputs, 'failed');
        assert.equal(finals + ends, 1, 'exactly one end');
      } else {
        played.give({ type: 'answer', status: 500 }); // the program answers every request
        played.run();
        assert.ok(count(played.outputs, 'send') >= 1);
      }
      assert.equal(played.state(), 'terminated');
      assert.equal(played.timers.size, 0, 'no timer outlives its transaction');
    }),
    { numRuns: 3000 },
  );
});

test('a server answers a repeated request with the same answer and acts on it once', () => {
  const repeats = fc.array(fc.integer({ min: 0, max: 3000 }), { maxLength: 8 });
  fc.assert(
    fc.property(status, repeats, (final, waits) => {
      const answer = Math.max(final, 200);
      const played = play('server', false);
      played.give({ type: 'answer', status: answer });
      for (const waitMs of waits) {
        played.run(waitMs);
        assert.deepEqual(played.give({ type: 'request' }), [{ type: 'send' }]);
      }
      assert.equal(count(played.outputs, 'deliver'), 0);
    }),
  );
});
