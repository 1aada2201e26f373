import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { makeOldDatabase, oldOrganization } from '../support/old-database.ts';
import { createKillableServer } from './server.ts';

test('an upgrade that is killed halfway changes nothing, and the next start completes it', async (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'parley-crash-'));
  const server = createKillableServer(directory, {});
  t.after(async () => {
    await server.kill();
    rmSync(directory, { recursive: true });
  });
  mkdirSync(server.data);
  makeOldDatabase(join(server.data, 'parley.db'), 2);
  for (const nth of [1, 2]) assert.equal(await server.start({ crashAt: `migration.unrecorded:${nth}` }), 'ended');
  assert.equal(await server.start(), 'ready', server.log());
  const ready = JSON.parse(readFileSync(join(directory, 'ready.json'), 'utf8')) as { url: string; org_id: string };
  assert.equal(ready.org_id, oldOrganization);
  assert.equal((await fetch(`${ready.url}/ready`)).status, 200);
});
