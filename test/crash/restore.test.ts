import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, before, suite, test, type TestContext } from 'node:test';
import Sqlite from 'better-sqlite3';
import type { Config } from '../../src/base/config/schema.ts';
import { faultPoints } from '../../src/base/fault-points.ts';
import { transact } from '../../src/db/transaction.ts';
import { createCampaign } from '../../src/features/campaigns/service.ts';
import { encryptionContext } from '../../src/features/numbers/number.ts';
import { importNumber } from '../../src/features/numbers/service.ts';
import { createApiKey, revokeApiKey } from '../../src/features/organizations/service.ts';
import { createUser } from '../../src/features/organizations/people/service.ts';
import { createLog } from '../../src/base/log.ts';
import type { App } from '../../src/kernel/app.ts';
import { start } from '../../src/main.ts';
import { loadConfig } from '../../src/main/configuration.ts';
import { withStore } from '../../src/main/offline.ts';
import { restoreBackup } from '../../src/main/restore.ts';
import { performTask } from '../../src/main/tasks.ts';
import { run, runHere, scratch } from '../cli/support.ts';

/** Tests `parley restore` on an installation whose data has changed since the backup. */

const phone = '+12125550190';
const configOf = (data: string): Config =>
  loadConfig({
    argvSettings: [
      { path: 'data', value: data },
      { path: 'http.port', value: '0' },
    ],
    env: {},
    readFile: () => '',
  }).config;

let template: { directory: string; data: string; backup: string };

/** Two installations with different secrets and data: the one to restore into, and the one that the backup was made of. */
before(async () => {
  const directory = mkdtempSync(join(tmpdir(), 'parley-restore-'));
  const [data, other, backup] = ['data', 'other', 'backup.db'].map((name) => join(directory, name)) as [
    string,
    string,
    string,
  ];
  for (const [path, password] of [
    [other, 'restored'],
    [data, 'present'],
  ] as const) {
    await (await start({ config: configOf(path), log: createLog('silent') })).stop();
    await withStore(configOf(path), async (context) => {
      const { orgId } = await importHere(context.app, password);
      await activateCampaign(context.app, orgId);
      if (path === other) await performTask(context)({ task: 'backup', args: { file: backup } });
    });
  }
  template = { directory, data, backup };
});
after(() => rmSync(template.directory, { recursive: true }));

const organizationOf = async (app: App): Promise<string> =>
  (await app.db.selectFrom('organizations').select('id').executeTakeFirstOrThrow()).id;

async function importHere(app: App, password: string): Promise<{ orgId: string }> {
  const orgId = await organizationOf(app);
  await importNumber(app, orgId, {
    phone,
    termination_uri: 'sip.example.com',
    sip_username: 'u',
    sip_password: password,
  });
  return { orgId };
}

async function activateCampaign(app: App, orgId: string): Promise<void> {
  const { id } = await createCampaign(app, orgId, { name: 'Spring' });
  await app.db
    .updateTable('campaigns')
    .set({ status: 'active', execution_status: 'running' })
    .where('id', '=', id)
    .execute();
}

function installation(t: TestContext) {
  const data = join(scratch(t), 'data');
  cpSync(template.data, data, { recursive: true });
  return { data, backup: template.backup };
}

/** The SIP password in the database, opened with the secrets beside it, and the campaign's status. */
const stateOf = (data: string): Promise<{ password: string; campaign: string }> =>
  withStore(configOf(data), async ({ app }) => {
    const { id, sip_password_sealed: sealed } = await app.db
      .selectFrom('phone_numbers')
      .select(['id', 'sip_password_sealed'])
      .where('phone', '=', phone)
      .executeTakeFirstOrThrow();
    const { status } = await app.db.selectFrom('campaigns').select('status').executeTakeFirstOrThrow();
    return { password: app.secrets.decrypt(sealed!, encryptionContext(id)), campaign: status };
  });

const killAt = resolve(import.meta.dirname, 'kill-at.ts');

suite('restore', () => {
  test('pauses active campaigns and names them, unless it is told to keep them running', async (t) => {
    const { data, backup } = installation(t);
    const restored = await runHere(t, ['restore', backup, '--data', data]);
    assert.equal(restored.code, 0, restored.err);
    assert.match(restored.err, /campaigns are paused[^]*Spring/);
    assert.deepEqual(await stateOf(data), { password: 'restored', campaign: 'paused' });
    const again = await runHere(t, ['restore', backup, '--keep-running', '--data', data]);
    assert.doesNotMatch(again.err, /paused/);
    assert.deepEqual(await stateOf(data), { password: 'restored', campaign: 'active' });
  });

  test('lists the keys, people and calendar accounts that are valid again, and no others', async (t) => {
    const { data } = installation(t);
    const file = join(scratch(t), 'own.db');
    const config = configOf(data);
    const [keptId, revokedId] = await withStore(config, async (context) => {
      const { app } = context;
      const orgId = await organizationOf(app);
      const make = (name: string) =>
        transact(app.db, orgId, (tx) => createApiKey(app, tx, orgId, { name, role: 'member' }));
      const keys = [await make('Kept'), await make('Revoked')];
      for (const email of ['kept@example.com', 'removed@example.com']) {
        await transact(app.db, orgId, (tx) => createUser(app, tx, orgId, { email, role: 'viewer', passwordHash: 'x' }));
      }
      await app.db
        .insertInto('calendar_accounts')
        .values({
          id: 'calendar',
          organization_id: orgId,
          account_name: 'Disconnected',
          status: 'active',
          key_sealed: app.secrets.encrypt('key', 'calendar'),
          key_digest: 'digest',
          connected_at: 0,
        })
        .execute();
      await performTask(context)({ task: 'backup', args: { file } });
      await revokeApiKey(app, orgId, keys[1]!.id);
      await app.db.deleteFrom('users').where('email', '=', 'removed@example.com').execute();
      await app.db.deleteFrom('calendar_accounts').where('id', '=', 'calendar').execute();
      return keys.map(({ id }) => id);
    });
    const { validAgain } = await restoreBackup(config, file, { nowMs: 0 });
    assert.equal(validAgain['API keys'].length, 1);
    assert.match(validAgain['API keys'][0]!, new RegExp(`^Revoked \\(member, .*${revokedId}`));
    assert.ok(keptId);
    assert.match(validAgain.people.join(), /^removed@example.com \(viewer,[^,]*,[^,]*$/);
    assert.match(validAgain['calendar accounts'].join(), /^Disconnected \([^,]*,[^,]*$/);
    // Without earlier data to compare with, all credentials in the backup are named.
    const elsewhere = await restoreBackup(configOf(join(scratch(t), 'new')), file, { nowMs: 0 });
    assert.equal(elsewhere.validAgain.people.length, 2);
    assert.equal(elsewhere.validAgain['API keys'].length, 3);
  });

  for (const point of faultPoints.filter((name) => name.startsWith('restore.'))) {
    const isDecided = point !== 'restore.staged';
    test(`killed at ${point}, it leaves ${isDecided ? 'the backup' : 'the old data'} with its secrets`, async (t) => {
      const { data, backup } = installation(t);
      const killed = await run(['restore', backup, '--data', data], {
        NODE_OPTIONS: `--import=${killAt}`,
        CRASH_AT: `${point}:1`,
      });
      assert.equal(killed.code, null, `it passes the point\n${killed.err}`);
      const expected = isDecided
        ? { password: 'restored', campaign: 'paused' }
        : { password: 'present', campaign: 'active' };
      assert.deepEqual(await stateOf(data), expected);
      const kept = readdirSync(data).filter((name) => name.includes('.before-restore-'));
      assert.equal(kept.length, isDecided ? 2 : 0, 'the old files are kept once');
      assert.deepEqual(
        readdirSync(data).filter((name) => name.startsWith('restor')),
        [],
        'nothing half-way is left',
      );
    });
  }

  test('a second restore or a server meanwhile is refused, and the first one goes on', async (t) => {
    const { data, backup } = installation(t);
    const config = configOf(data);
    const restoring = restoreBackup(config, backup, { nowMs: 0 });
    await assert.rejects(restoreBackup(config, backup, { nowMs: 0 }), /in use by process \d+.*stop it first/);
    await assert.rejects(start({ config, log: createLog('silent') }), /in use by process/);
    await restoring;
    assert.deepEqual(await stateOf(data), { password: 'restored', campaign: 'paused' });
  });

  test('restores within the same second keep all the files they replace', async (t) => {
    const { data, backup } = installation(t);
    const kept = new Set<string>();
    for (let time = 0; time < 3; time += 1) {
      for (const file of (await restoreBackup(configOf(data), backup, { nowMs: 0 })).keptAs) kept.add(file);
    }
    assert.equal(kept.size, 6);
    for (const file of kept) assert.ok(existsSync(file), file);
  });

  for (const [flaw, statement, reason] of [
    ['that lacks a table', 'DROP TABLE contact_notes', /table contact_notes is missing/],
    ['that lacks an index', 'DROP INDEX api_keys_of_organization', /index api_keys_of_organization is missing/],
    [
      'with a foreign trigger',
      'CREATE TRIGGER copies AFTER INSERT ON contacts BEGIN DELETE FROM api_keys; END',
      /trigger copies is not parley's/,
    ],
  ] as const) {
    test(`refuses a backup ${flaw}, and changes nothing`, async (t) => {
      const { data, backup } = installation(t);
      const file = join(scratch(t), 'flawed.db');
      for (const end of ['', '.secrets.json']) cpSync(backup + end, file + end);
      const database = new Sqlite(file);
      database.exec(statement);
      database.close();
      await assert.rejects(restoreBackup(configOf(data), file, { nowMs: 0 }), reason);
      assert.deepEqual(await stateOf(data), { password: 'present', campaign: 'active' });
    });
  }

  test('refuses a backup whose secrets are those of another installation', async (t) => {
    const { data, backup } = installation(t);
    const file = join(scratch(t), 'mixed.db');
    cpSync(backup, file);
    cpSync(join(data, 'secrets.json'), `${file}.secrets.json`);
    await assert.rejects(restoreBackup(configOf(data), file, { nowMs: 0 }), /cannot be used: .*another installation/);
    assert.deepEqual(await stateOf(data), { password: 'present', campaign: 'active' });
  });
});

suite('backup', () => {
  test('of two backups to the same file at the same time, one is made and the other is refused', async (t) => {
    const { data } = installation(t);
    const file = join(scratch(t), 'twice.db');
    await withStore(configOf(data), async (context) => {
      const request = { task: 'backup', args: { file } };
      const results = await Promise.allSettled([performTask(context)(request), performTask(context)(request)]);
      assert.deepEqual(results.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected']);
    });
    assert.deepEqual(readdirSync(join(file, '..')).toSorted(), ['twice.db', 'twice.db.secrets.json']);
    assert.equal(readFileSync(`${file}.secrets.json`, 'utf8'), readFileSync(join(data, 'secrets.json'), 'utf8'));
    const { data: elsewhere } = installation(t);
    await restoreBackup(configOf(elsewhere), file, { nowMs: 0 });
    assert.equal((await stateOf(elsewhere)).password, 'present');
  });

  test('that fills the disk leaves nothing, and its error names file and cause', async (t) => {
    const { data } = installation(t);
    const folder = scratch(t);
    const file = join(folder, 'large.db');
    const program = join(import.meta.dirname, '../support/backup-on-full-disk.ts');
    const child = fork(program, [data, file], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
    const [message] = (await once(child, 'message')) as [string];
    assert.match(message, /^no backup was written to .*\/large\.db: .*(full|disk I\/O)/);
    assert.deepEqual(readdirSync(folder), []);
  });

  test('does not overwrite an existing file', async (t) => {
    const { data } = installation(t);
    const file = join(scratch(t), 'taken.db');
    writeFileSync(file, 'something else');
    await withStore(configOf(data), async (context) => {
      await assert.rejects(async () => performTask(context)({ task: 'backup', args: { file } }), /already exists/);
    });
    assert.equal(readFileSync(file, 'utf8'), 'something else');
    assert.equal(existsSync(`${file}.secrets.json`), false);
  });
});
