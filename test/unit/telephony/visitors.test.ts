import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createVisitors, type VisitorLimits } from '../../../src/telephony/transport/visitors.ts';

const limits = { strangers: 3, strangersPerAddress: 2, perOwner: 2, all: 5 };

function aDoor(over: Partial<VisitorLimits> = {}) {
  const closed: string[] = [];
  /** The trunk `trunk 1` of the first owner is at `trunk 1`, that of the second at `other trunk 1`. */
  const ownerOf = (address: string): string | undefined => /^(.*trunk) \d/.exec(address)?.[1];
  const visitors = createVisitors(ownerOf, { ...limits, ...over });
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

test('when all places are taken by known sources, the one with the most gives a place to one with fewer', () => {
  const { closed, enter } = aDoor({ perOwner: 4, all: 4 });
  for (const address of ['trunk 1', 'trunk 2', 'trunk 3', 'trunk 4']) assert.ok(enter(address));
  assert.equal(enter('stranger'), undefined);
  assert.ok(enter('other trunk 1') && enter('other trunk 2'));
  assert.equal(enter('other trunk 3'), undefined, 'they have two each');
  assert.deepEqual(closed, ['trunk 1', 'trunk 2']);
});
