import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createUnknownPeers, type PeerLimits } from '../../../src/telephony/transport/unknown-peers.ts';

const limits = { unknown: 3, unknownPerAddress: 2, perOwner: 2, all: 5 };

function aCount(over: Partial<PeerLimits> = {}) {
  const closed: string[] = [];
  /** The trunk `trunk 1` of the first owner is at `trunk 1`, that of the second at `other trunk 1`. */
  const ownerOf = (address: string): string | undefined => /^(.*trunk) \d/.exec(address)?.[1];
  const peers = createUnknownPeers(ownerOf, { ...limits, ...over });
  return { peers, closed, add: (address: string) => peers.add(address, () => closed.push(address)) };
}

test('unknown peers share a few connections: an address has its own limit, and the oldest is closed for a newer one', () => {
  const { peers, closed, add } = aCount();
  assert.ok(add('a') && add('a'));
  assert.equal(add('a'), undefined);
  assert.ok(add('b'));
  assert.deepEqual(closed, []);
  assert.ok(add('c'));
  assert.deepEqual([closed, peers.count()], [['a'], 3]);
});

test('a known source has a limit of its own, and is not closed for an unknown peer', () => {
  const { peers, closed, add } = aCount();
  assert.ok(add('trunk 1') && add('trunk 2'));
  assert.equal(add('trunk 3'), undefined, 'each owner has a limit');
  for (const address of ['a', 'b', 'c', 'd', 'e']) assert.ok(add(address));
  assert.deepEqual([closed, peers.count()], [['a', 'b'], 5]);
});

test('a connection that a call of ours came over stays, and one that has left is not counted', () => {
  const { peers, closed, add } = aCount();
  add('a')!.trust();
  const left = add('b')!;
  for (const address of ['c', 'd']) add(address);
  left.remove();
  assert.ok(add('e'));
  assert.deepEqual([closed, peers.count()], [[], 4]);
  assert.ok(add('f'));
  assert.deepEqual(closed, ['c'], 'a stays');
});

test('when known sources have all connections, one of the source with the most is closed for one with fewer', () => {
  const { closed, add } = aCount({ perOwner: 4, all: 4 });
  for (const address of ['trunk 1', 'trunk 2', 'trunk 3', 'trunk 4']) assert.ok(add(address));
  assert.equal(add('unknown'), undefined);
  assert.ok(add('other trunk 1') && add('other trunk 2'));
  assert.equal(add('other trunk 3'), undefined, 'they have two each');
  assert.deepEqual(closed, ['trunk 1', 'trunk 2']);
});
