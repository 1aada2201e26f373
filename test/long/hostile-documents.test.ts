import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ExtractionError } from '../../src/extraction/errors.ts';
import type { ExtractInput } from '../../src/extraction/model.ts';
import { createExtractor } from '../../src/features/knowledge/reading/pool.ts';
import { hostileDocuments } from '../support/documents/hostile.ts';

const never = new AbortController().signal;
const note: ExtractInput = { bytes: Buffer.from('Still here.'), name: 'a.txt' };

test('no hostile document breaks the process or the next document', async (t) => {
  const extractor = createExtractor({ workers: 2, memory_mb: 64, timeout_ms: 500, max_text_chars: 1_000_000 });
  t.after(() => extractor.close());
  for (const make of hostileDocuments(16)) {
    const { name, bytes, file } = make();
    const input = { bytes, ...(file === undefined ? {} : { name: file }) };
    const outcome = await extractor.extract('acme', input, never).catch((error: unknown) => error);
    if (outcome instanceof Error) assert.ok(outcome instanceof ExtractionError, `${name}: ${outcome.stack}`);
  }
  assert.equal((await extractor.extract('acme', note, never)).text, 'Still here.');
});
