import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  type Input,
  type Machine,
  newMachine,
  type Output,
  step,
} from '../../../../src/telephony/registration/machine.ts';

const response = (status: number, over: Partial<Extract<Input, { type: 'response' }>> = {}): Input => ({
  type: 'response',
  status,
  reason: 'Because',
  canAnswer: false,
  grantedSec: null,
  minExpiresSec: null,
  hasMoved: false,
  hasNextTarget: false,
  ...over,
});

/** Plays the inputs, and returns the last step with all outputs. */
function play(inputs: readonly Input[], draw = 0.5) {
  let machine: Machine = newMachine(600);
  let outputs: Output[] = [];
  for (const input of inputs) ({ machine, outputs } = step(machine, input, draw));
  const wait = outputs.find((output) => output.type === 'wait')?.ms;
  const send = outputs.find((output) => output.type === 'send');
  return { machine, outputs, wait, send };
}

test('half of the time that the registrar grants passes until the next REGISTER', () => {
  const { machine, wait } = play([{ type: 'begin' }, response(200, { grantedSec: 120 })]);
  assert.deepEqual([machine.state, machine.grantedSec, wait], ['registered', 120, 60_000]);
  assert.equal(play([{ type: 'begin' }, response(200)]).wait, 300_000, 'what was asked for, where nothing is said');
});

test('a registration that is renewed stays registered meanwhile', () => {
  const { machine, send } = play([{ type: 'begin' }, response(200), { type: 'due' }]);
  assert.deepEqual([machine.state, send], ['registered', { type: 'send', expiresSec: 600, target: 'first' }]);
});

test('a time that is too short is asked for again with the time that the registrar names, once', () => {
  const tooShort = response(423, { minExpiresSec: 3600 });
  assert.deepEqual(play([{ type: 'begin' }, tooShort]).send, { type: 'send', expiresSec: 3600, target: 'same' });
  assert.equal(play([{ type: 'begin' }, tooShort, response(423, { minExpiresSec: 7200 })]).machine.state, 'refused');
});

test('a registrar that does not answer is tried again after 30 s, then after twice as long, at most every 10 minutes', () => {
  const failed: Input = { type: 'failed', reason: 'no answer', hasNextTarget: false };
  const inputs: Input[] = [{ type: 'begin' }];
  const waits = Array.from({ length: 7 }, () => {
    inputs.push(failed);
    const { wait, machine } = play(inputs);
    assert.deepEqual([machine.state, machine.detail], ['unreachable', 'no answer']);
    inputs.push({ type: 'due' });
    return wait;
  });
  assert.deepEqual(waits, [30_000, 60_000, 120_000, 240_000, 480_000, 600_000, 600_000]);
  assert.equal(play([{ type: 'begin' }, failed], 0).wait, 24_000);
  assert.equal(play([{ type: 'begin' }, failed], 1).wait, 36_000);
  assert.equal(play([...inputs, response(200), { type: 'due' }, failed]).wait, 30_000, 'success begins anew');
  assert.equal(play([{ type: 'begin' }, response(500)]).wait, 30_000);
});

test('the next target is tried only where one did not answer or said 503', () => {
  for (const input of [
    { type: 'failed', reason: '', hasNextTarget: true },
    response(503, { hasNextTarget: true }),
  ] as const)
    assert.deepEqual(play([{ type: 'begin' }, input]).send, { type: 'send', expiresSec: 600, target: 'next' });
  assert.equal(play([{ type: 'begin' }, response(500, { hasNextTarget: true })]).machine.state, 'unreachable');
});

test('a refusal is tried again after 10 minutes, or at once when the number changes', () => {
  for (const status of [401, 407, 403, 404]) {
    const { machine, wait } = play([{ type: 'begin' }, response(status)]);
    assert.deepEqual([machine.state, machine.detail, wait], ['refused', `SIP ${status} Because`, 600_000]);
  }
  const { machine, send } = play([{ type: 'begin' }, response(403), { type: 'retry' }]);
  assert.deepEqual([machine.state, send?.target], ['registering', 'first']);
});

test('a Contact that nobody reaches is replaced at once, but not for ever', () => {
  const moved = response(200, { hasMoved: true, grantedSec: 100 });
  assert.deepEqual(play([{ type: 'begin' }, moved]).send, { type: 'send', expiresSec: 600, target: 'same' });
  assert.equal(play([{ type: 'begin' }, moved, moved]).machine.state, 'registered');
});

test('a broken connection is tried again after 30 s', () => {
  const { machine, wait } = play([{ type: 'begin' }, response(200), { type: 'broken', reason: 'reset' }]);
  assert.deepEqual([machine.state, machine.detail, wait], ['unreachable', 'reset', 30_000]);
});

test('the Contact is removed at the end, with an answer to a challenge, and only where there may be one', () => {
  const removal = play([{ type: 'begin' }, response(200), { type: 'end' }]);
  assert.deepEqual(removal.send, { type: 'send', expiresSec: 0, target: 'same' });
  const challenged = play([{ type: 'begin' }, response(200), { type: 'end' }, response(401, { canAnswer: true })]);
  assert.deepEqual(challenged.send, { type: 'send', expiresSec: 0, target: 'same' });
  assert.equal(play([{ type: 'begin' }, { type: 'end' }, response(200)]).machine.step, 'ended');
  assert.equal(play([{ type: 'begin' }, response(403), { type: 'end' }]).send, undefined);
});

const inputs: fc.Arbitrary<Input> = fc.oneof(
  fc.record({
    type: fc.constant('response' as const),
    status: fc.constantFrom(200, 401, 403, 404, 407, 408, 423, 500, 503, 600),
    reason: fc.constant('x'),
    canAnswer: fc.boolean(),
    grantedSec: fc.option(fc.nat({ max: 10_000 })),
    minExpiresSec: fc.option(fc.nat({ max: 1_000_000 })),
    hasMoved: fc.boolean(),
    hasNextTarget: fc.boolean(),
  }),
  fc.record({ type: fc.constant('failed' as const), reason: fc.constant('x'), hasNextTarget: fc.boolean() }),
  fc.constantFrom<Input>({ type: 'due' }, { type: 'retry' }, { type: 'broken', reason: 'x' }),
);

test('whatever happens, either one REGISTER is in flight or one wait runs, and the end always ends', () => {
  fc.assert(
    fc.property(fc.array(inputs, { maxLength: 40 }), fc.double({ min: 0, max: 1, noNaN: true }), (history, draw) => {
      let inFlight = 0;
      let waiting = false;
      let machine = newMachine(600);
      const take = (input: Input): void => {
        if (input.type === 'response' || input.type === 'failed') {
          if (inFlight === 0) return; // there is nothing that could be answered
          inFlight = 0;
        }
        if (input.type === 'due') {
          if (!waiting) return;
          waiting = false;
        }
        const next = step(machine, input, draw);
        machine = next.machine;
        for (const output of next.outputs) {
          if (output.type === 'send') inFlight += 1;
          if (output.type === 'abandon') inFlight = 0;
          if (output.type === 'wait') waiting = true;
          if (output.type === 'stop-waiting') waiting = false;
          if (output.type === 'wait') assert.ok(output.ms >= 500 && output.ms <= 5_000_000);
        }
        const busy = inFlight + (waiting ? 1 : 0);
        assert.equal(busy, machine.step === 'ended' ? 0 : 1, `${machine.step} after ${input.type}`);
        assert.equal(machine.grantedSec !== null, machine.state === 'registered');
      };
      take({ type: 'begin' });
      for (const input of history) take(input);
      take({ type: 'end' });
      for (let rounds = 0; machine.step !== 'ended'; rounds += 1) {
        assert.ok(rounds < 1);
        take(response(200));
      }
    }),
  );
});
