import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createVisitors } from '../../../../src/features/calls/carriers/sip/transport/visitors.ts';

const limits = { strangers: 3, strangersPerAddress: 2, perOwner: 2, all: 5 };

function aDoor() {
  const closed: string[] = [];
  const visitors = createVisitors((address) => (address.startsWith('trunk') ? 'owner' : undefined), limits);
  return { visitors, closed, enter: (address: string) => visitors.enter(address, () => closed.push(address)) };
}

test('strangers share a few connections: an address has its own limit, and the oldest gives way to a newer one', () => {
  const { visitors, closed, enter } = aDoor();
  assert.ok(enter('a') && enter('a'));
  assert.equal(enter('a'), undefined);
  assert.ok(enter('b'));
  assert.deepEqual(closed, []);
  assert.ok(enter('c'));
  assert.deepEqual([closed, visitors.count()], [['a'], 3]);
});

test('a known source has places of its own, and is not closed for a stranger', () => {
  const { visitors, closed, enter } = aDoor();
  assert.ok(enter('trunk 1') && enter('trunk 2'));
  assert.equal(enter('trunk 3'), undefined, 'each owner has a limit');
  for (const address of ['a', 'b', 'c', 'd', 'e']) assert.ok(enter(address));
  assert.deepEqual([closed, visitors.count()], [['a', 'b'], 5]);
});

test('a connection that a call of ours came over stays, and one that has left is not counted', () => {
  const { visitors, closed, enter } = aDoor();
  enter('a')!.trust();
  const left = enter('b')!;
  for (const address of ['c', 'd']) enter(address);
  left.leave();
  assert.ok(enter('e'));
  assert.deepEqual([closed, visitors.count()], [[], 4]);
  assert.ok(enter('f'));
  assert.deepEqual(closed, ['c'], 'a stays');
});
