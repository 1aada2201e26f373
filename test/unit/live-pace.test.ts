import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPace } from '../../src/features/live/pace.ts';

test('reads of an organization run one after the other, and those of another organization beside them', async () => {
  const pace = createPace();
  const began: string[] = [];
  const first = Promise.withResolvers<void>();
  const [second, other] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const read = (name: string, gate: PromiseWithResolvers<void>, wait?: Promise<void>) => () => {
    began.push(name);
    gate.resolve();
    return wait ?? Promise.resolve();
  };
  pace('org', read('first', Promise.withResolvers<void>(), first.promise));
  const again = read('second', second);
  pace('org', again);
  pace('org', again);
  pace('other org', read('other', other));
  await other.promise;
  assert.deepEqual(began, ['first', 'other']);
  first.resolve();
  await second.promise;
  const last = Promise.withResolvers<void>();
  pace('org', read('last', last));
  await last.promise;
  assert.deepEqual(began, ['first', 'other', 'second', 'last']);
});
