import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import Sqlite from 'better-sqlite3';
import { openDatabase } from '../../src/db/sqlite/open.ts';
import { nextMigrations } from '../support/next-migrations.ts';

const program = resolve(import.meta.dirname, 'upgrading.ts');
const killAt = import.meta.resolve('./kill-at.ts');

test('an upgrade that is killed halfway changes nothing, and the next start completes it', async (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'parley-crash-'));
  t.after(() => rmSync(directory, { recursive: true }));
  const file = join(directory, 'parley.db');
  const database = await openDatabase({ file, nowMs: 0 });
  await database.db.insertInto('organizations').values({ id: 'org', name: 'Kept', created_at: 0 }).execute();
  database.close();
  const before = contentsOf(file);
  const upgrade = (crashAt: string) =>
    spawnSync(process.execPath, ['--import', killAt, program, file], {
      env: { ...process.env, CRASH_AT: crashAt, NODE_V8_COVERAGE: '' },
      encoding: 'utf8',
    });
  for (const nth of [1, 2]) {
    assert.equal(upgrade(`migration.unrecorded:${nth}`).signal, 'SIGKILL');
    assert.deepEqual(contentsOf(file), before);
  }
  const { status, stderr } = upgrade('migration.unrecorded:3');
  assert.equal(status, 0, stderr);
  assert.deepEqual(contentsOf(file), {
    migrations: nextMigrations.length,
    organizations: [{ name: 'Kept', colour: 'grey' }],
  });
});

function contentsOf(file: string) {
  const database = new Sqlite(file);
  try {
    return {
      migrations: database.prepare('SELECT count(*) FROM schema_migrations').pluck().get(),
      organizations: database.prepare('SELECT * FROM organizations').all().map(withoutDefaults),
    };
  } finally {
    database.close();
  }
}

function withoutDefaults(row: unknown): unknown {
  const { name, colour } = row as { name: string; colour?: string };
  return colour === undefined ? { name } : { name, colour };
}
