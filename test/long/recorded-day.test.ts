import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { digestsOf, recordDay, textOf } from '../support/recorded-day/record.ts';

test('a day of campaigns has the events, lists and statistics that were recorded', async () => {
  const kept = JSON.parse(readFileSync(join(import.meta.dirname, 'recorded-day.json'), 'utf8')) as object;
  const recording = await recordDay(join(import.meta.dirname, '../..'));
  const file = join(tmpdir(), 'recorded-day.txt');
  const hint = `Compare ${file} with a recording of an earlier checkout (test/support/recorded-day.ts)`;
  const digests = digestsOf(recording);
  const isEqual = JSON.stringify(digests) === JSON.stringify(kept);
  if (!isEqual) writeFileSync(file, textOf(recording));
  assert.deepEqual(digests, kept, hint);
});
