import assert from 'node:assert/strict';
import { pathToFileURL } from 'node:url';
import { join } from 'node:path';
import { test } from 'node:test';
import { scratch, serve } from './cli/support.ts';

/**
 * What most installations need late or never, and is large. Each of these is loaded by whoever first wants it; Node's own undici comes
 * with an `import` of node:http (src/base/http.ts).
 */
const late = ['undici', 'internal/deps/undici/undici', 'koa-body', 'csv-parse', 'nodemailer', 'typebox'];
/** What a start does load: that these are seen means that others would be. */
const early = ['koa', 'kysely', 'better-sqlite3', 'http'];

test('a start loads nothing large that it does not need', async (t) => {
  const hook = pathToFileURL(join(import.meta.dirname, 'support/loaded.ts')).href;
  const server = await serve(t, ['--data', scratch(t)], { NODE_OPTIONS: `--import=${hook}` });
  const { err } = await server.stop();
  const line = err.split('\n').find((text) => text.startsWith('{"loaded":'));
  const { loaded } = JSON.parse(line ?? '{"loaded":[]}') as { loaded: string[] };
  assert.deepEqual(
    early.filter((name) => !loaded.includes(name)),
    [],
  );
  assert.deepEqual(
    late.filter((name) => loaded.includes(name)),
    [],
  );
});
