import assert from 'node:assert/strict';
import { test } from 'node:test';
import { streamPlaces } from '../../src/features/live/places.ts';

const streamsOf = (take: ReturnType<typeof streamPlaces>, orgId: string, count: number, evicted: string[]) =>
  Array.from({ length: count }, (_, index) =>
    take({ orgId, owner: `${orgId} ${Math.floor(index / 20)}`, evict: () => evicted.push(`${orgId} ${index}`) }),
  );

test('an organization that has all streams loses its newest ones to others, until they have as many', () => {
  const take = streamPlaces();
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
