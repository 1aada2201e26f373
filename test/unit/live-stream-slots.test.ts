import assert from 'node:assert/strict';
import { test } from 'node:test';
import { streamSlots } from '../../src/features/live/stream-slots.ts';

const streamsOf = (take: ReturnType<typeof streamSlots>, orgId: string, count: number, evicted: string[]) =>
  Array.from({ length: count }, (_, index) =>
    take({ orgId, owner: `${orgId} ${Math.floor(index / 20)}`, evict: () => evicted.push(`${orgId} ${index}`) }),
  );

test('an organization that has all streams loses its newest ones to others, until they have as many', () => {
  const take = streamSlots();
  const evicted: string[] = [];
  streamsOf(take, 'hostile', 500, evicted);
  assert.throws(() => take({ orgId: 'hostile', owner: 'one more', evict: () => undefined }), { kind: 'unavailable' });
  const own = streamsOf(take, 'other', 250, evicted);
  assert.equal(evicted.length, 250);
  assert.equal(evicted[0], 'hostile 499');
  assert.equal(evicted.at(-1), 'hostile 250');
  assert.throws(() => take({ orgId: 'other', owner: 'one more', evict: () => undefined }), { kind: 'unavailable' });
  assert.throws(() => take({ orgId: 'hostile', owner: 'one more', evict: () => undefined }), { kind: 'unavailable' });
  own[0]!();
  take({ orgId: 'hostile', owner: 'one more', evict: () => undefined });
});

test('an organization with one stream less than the largest takes none from it, or both would take turns with it', () => {
  const take = streamSlots();
  const evicted: string[] = [];
  streamsOf(take, 'third', 1, evicted);
  streamsOf(take, 'first', 499, evicted);
  streamsOf(take, 'second', 249, evicted);
  assert.throws(() => take({ orgId: 'second', owner: 'one more', evict: () => undefined }), { kind: 'unavailable' });
  assert.equal(evicted.length, 249);
});
