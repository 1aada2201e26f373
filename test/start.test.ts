import assert from 'node:assert/strict';
import { pathToFileURL } from 'node:url';
import { join } from 'node:path';
import { test } from 'node:test';
import { scratch, serve } from './cli/support.ts';

/**
 * Large modules that most installations need late or never, and that are loaded on first use. Node's own undici is among them because
 * importing node:http loads it (src/base/http.ts).
 */
const lazy = ['undici', 'internal/deps/undici/undici', 'koa-body', 'csv-parse', 'nodemailer', 'typebox'];
/** Modules that every start loads. Finding them proves that the hook sees loaded modules. */
const eager = ['koa', 'kysely', 'better-sqlite3', 'http'];

test('a start loads no large module that it does not need', async (t) => {
  const hook = pathToFileURL(join(import.meta.dirname, 'support/loaded.ts')).href;
  const server = await serve(t, ['--data', scratch(t)], { NODE_OPTIONS: `--import=${hook}` });
  const { err } = await server.stop();
  const line = err.split('\n').find((text) => text.startsWith('{"loaded":'));
  const { loaded } = JSON.parse(line ?? '{"loaded":[]}') as { loaded: string[] };
  assert.deepEqual(
    eager.filter((name) => !loaded.includes(name)),
    [],
  );
  assert.deepEqual(
    lazy.filter((name) => loaded.includes(name)),
    [],
  );
});
