import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { campaignStatuses, executionStatuses } from '../../../src/features/campaigns/campaign.ts';
import { moveTo, type States, statusFaults } from '../../../src/features/campaigns/transitions.ts';

// test/http/campaigns-moves.test.ts checks every change of status; these are the invariants of any sequence of requests.

const wish: fc.Arbitrary<Partial<States>> = fc.record(
  { status: fc.constantFrom(...campaignStatuses), executionStatus: fc.constantFrom(...executionStatuses) },
  { requiredKeys: [] },
);
const draft: States = { status: 'draft', executionStatus: 'draft' };
const isHeld = ({ status, executionStatus }: States): boolean => status === 'active' && executionStatus === 'paused';

/** The states after each request. A refused request changes nothing. */
function walk(wishes: ReadonlyArray<Partial<States>>): States[] {
  const states = [draft];
  for (const wanted of wishes) {
    if (statusFaults(wanted).length > 0) continue;
    try {
      states.push(moveTo(states.at(-1)!, wanted));
    } catch {
      states.push(states.at(-1)!); // the change is not allowed from the present state
    }
  }
  return states;
}

test('after any requests the two statuses agree, or the campaign is held', () => {
  fc.assert(
    fc.property(fc.array(wish, { maxLength: 30 }), (wishes) => {
      for (const state of walk(wishes)) assert.deepEqual(isHeld(state) ? [] : statusFaults(state), []);
    }),
    { numRuns: 500 },
  );
});

test('no change leads back to draft, and only active follows completed', () => {
  fc.assert(
    fc.property(fc.array(wish, { maxLength: 30 }), (wishes) => {
      const statuses = walk(wishes).map(({ status }) => status);
      const left = statuses.findIndex((status) => status !== 'draft');
      if (left >= 0) assert.ok(!statuses.slice(left).includes('draft'));
      for (const [index, status] of statuses.entries())
        if (index > 0 && statuses[index - 1] === 'completed') assert.ok(['completed', 'active'].includes(status));
    }),
    { numRuns: 500 },
  );
});

test('requesting the current state is never refused and changes nothing', () => {
  fc.assert(
    fc.property(fc.array(wish, { maxLength: 10 }), (wishes) => {
      const state = walk(wishes).at(-1)!;
      const { status, executionStatus } = state;
      for (const same of [{ status }, { executionStatus }, state, {}]) assert.deepEqual(moveTo(state, same), state);
    }),
  );
});

test('two statuses that disagree are reported for both fields', () => {
  const faults = statusFaults({ status: 'paused', executionStatus: 'running' });
  assert.deepEqual(
    faults.map(({ path }) => path),
    ['status', 'executionStatus'],
  );
  assert.deepEqual(statusFaults({ status: 'paused' }), []);
  assert.deepEqual(statusFaults({}), []);
});
