import assert from 'node:assert/strict';
import { test } from 'node:test';
import Sqlite from 'better-sqlite3';
import { applyPragmas } from '../../src/db/sqlite/pragmas.ts';

test('connections enforce foreign keys, do not trust functions in the schema, and never checkpoint within a commit', (t) => {
  const database = new Sqlite(':memory:');
  t.after(() => database.close());
  applyPragmas(database, 'NORMAL');
  const settings = ['foreign_keys', 'trusted_schema', 'wal_autocheckpoint', 'synchronous', 'temp_store'];
  assert.deepEqual(
    settings.map((name) => database.pragma(name, { simple: true })),
    [1, 0, 0, 1, 2],
  );
});
