// Long: it makes and examines dozens of backups.
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { backupFindings } from '../../src/main/backup-findings.ts';
import { loadConfig } from '../../src/main/configuration.ts';
import { requestRunningServer } from '../../src/main/control/client.ts';
import { withStore } from '../../src/main/offline.ts';
import { peek } from '../../src/db/sqlite/peek.ts';
import { dataOf, startTestServer, type TestServer } from '../support/server.ts';
import { storeSettings } from '../support/store.ts';

const hourMs = 3_600_000;
const minuteMs = 60_000;

type Backup = {
  last_at: string | null;
  next_at: string | null;
  path: string | null;
  size_bytes: number | null;
  error: string | null;
};
type Check = { id: string; status: string; message: string };

const systemOf = async (server: TestServer): Promise<{ backup: Backup; checks: Check[] }> =>
  dataOf(await server.get<{ backup: Backup; checks: Check[] }>('/system'));
const metric = async (server: TestServer, name: string): Promise<string | undefined> =>
  new RegExp(`^${name} (.*)$`, 'm').exec((await server.get('//metrics')).text)?.[1];

function scratch(t: TestContext): string {
  const directory = mkdtempSync(join(tmpdir(), 'parley-schedule-'));
  t.after(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

/** A server whose clock stands at 09:00 and that makes a backup at every full hour. */
async function hourly(
  t: TestContext,
  settings: Record<string, string> = {},
): Promise<{ server: TestServer; data: string }> {
  const data = join(scratch(t), 'data');
  const server = await startTestServer({ data, settings: { 'backup.schedule': '0 * * * *', ...settings } });
  t.after(() => server.stop());
  return { server, data };
}

test('backups are made by schedule, readable for the owner alone, and the newest are kept', async (t) => {
  const { server, data } = await hourly(t, { 'backup.keep': '2' });
  const { backup } = await systemOf(server);
  assert.deepEqual([backup.last_at, backup.next_at], [null, '2026-03-02T10:00:00.000Z']);
  const directory = join(data, 'backups');
  mkdirSync(directory);
  writeFileSync(join(directory, 'parley-20260101T000000Z.db.secrets.json'), 'of a backup that was killed');
  writeFileSync(join(directory, 'mine.db'), 'not of parley');
  const ran = await server.advance(3 * hourMs);
  assert.equal(ran['backup.run'], 3);
  const names = ['parley-20260302T110000Z.db', 'parley-20260302T120000Z.db'];
  const expected = ['mine.db', ...names.flatMap((name) => [name, `${name}.secrets.json`])];
  assert.deepEqual(readdirSync(directory).toSorted(), expected);
  for (const name of expected.slice(1)) assert.equal(statSync(join(directory, name)).mode & 0o777, 0o600);
  const newest = join(directory, names[1]!);
  assert.deepEqual(peek<{ id: string }>(newest, 'SELECT id FROM organizations'), [{ id: server.orgId }]);
  const after = await systemOf(server);
  assert.deepEqual(after.backup, {
    last_at: '2026-03-02T12:00:00.000Z',
    next_at: '2026-03-02T13:00:00.000Z',
    path: newest,
    size_bytes: statSync(newest).size,
    error: null,
  });
  assert.equal(
    await metric(server, 'parley_backup_last_success_timestamp_seconds'),
    String(Date.UTC(2026, 2, 2, 12) / 1000),
  );
  assert.equal(await metric(server, 'parley_backup_size_bytes'), String(statSync(newest).size));
});

/** What `parley doctor` finds about backups on the running server. */
async function backupCheck(data: string): Promise<Check | undefined> {
  const answer = await requestRunningServer(data, { task: 'doctor', args: {} });
  return (answer!.result as Array<Check & { check: string }>).find(({ check }) => check === 'backup');
}

test('doctor tells whether backups are made, and when the server has stopped, that one is overdue', async (t) => {
  const { server, data } = await hourly(t);
  const first = await backupCheck(data);
  assert.deepEqual(
    [first!.status, first!.message],
    ['warn', 'there is no backup yet; the first is due 2026-03-02T10:00:00.000Z'],
  );
  writeFileSync(join(data, 'backups'), 'a file where the directory should be');
  await server.advance(hourMs);
  const failed = await backupCheck(data);
  assert.equal(failed!.status, 'fail');
  assert.match(failed!.message, /no backup was written to .*; there is no backup yet/);
  rmSync(join(data, 'backups'));
  await server.advance(hourMs);
  assert.equal((await backupCheck(data))!.status, 'ok');
  await server.stop();
  const config = loadConfig({
    argvSettings: [
      { path: 'data', value: data },
      { path: 'backup.schedule', value: '0 * * * *' },
      ...Object.entries(await storeSettings(data)).map(([path, value]) => ({ path, value })),
    ],
    env: {},
    readFile: () => '',
  }).config;
  const [overdue] = await withStore(config, ({ app }) => backupFindings(app));
  assert.equal(overdue!.status, 'warn');
  assert.match(overdue!.message, /the last backup is .* of 2026-03-02T1.*; the next was due 2026-03-02T/);
});

test('without secrets only the database is written', async (t) => {
  const { server, data } = await hourly(t, { 'backup.secrets': 'false', 'backup.dir': 'elsewhere' });
  await server.advance(hourMs);
  assert.deepEqual(readdirSync(join(data, 'elsewhere')), ['parley-20260302T100000Z.db']);
});

test('a backup that fails is tried three times, told, and made at the next time', async (t) => {
  const { server, data } = await hourly(t);
  const directory = join(data, 'backups');
  writeFileSync(directory, 'a file where the directory should be');
  await server.advance(hourMs);
  const first = await systemOf(server);
  assert.match(first.backup.error!, /no backup was written to .*backups\/parley-20260302T100000Z\.db: /);
  const notices = async () => (await server.get<Array<{ kind: string; body: string }>>('/notices')).body.data;
  assert.deepEqual(await notices(), [], 'the first failure is not told');
  await server.advance(20 * minuteMs);
  const [notice, ...others] = await notices();
  assert.deepEqual([notice!.kind, others], ['backup.failed', []]);
  assert.match(notice!.body, /Three attempts .* due at 2026-03-02T11:00:00/s);
  assert.equal(await metric(server, 'parley_backup_failures_total'), '3');
  rmSync(directory);
  await server.advance(40 * minuteMs);
  assert.deepEqual(readdirSync(directory), ['parley-20260302T110000Z.db', 'parley-20260302T110000Z.db.secrets.json']);
  assert.equal((await systemOf(server)).backup.error, null);
});

test('a copy that does not hold what it should is no backup, and the older ones stay', async (t) => {
  const { server, data } = await hourly(t, { 'backup.keep': '1' });
  await server.advance(hourMs);
  const directory = join(data, 'backups');
  const before = readdirSync(directory);
  // A number that triggers keep is wrong from here on, as after a fault of the disk.
  const { db } = server.running.app;
  const miscount = (by: number): Promise<unknown> =>
    db
      .updateTable('organization_counts')
      .set((eb) => ({ notices: eb('notices', '+', by) }))
      .execute();
  await miscount(5);
  await server.advance(hourMs);
  assert.deepEqual(readdirSync(directory), before);
  const { backup } = await systemOf(server);
  assert.match(backup.error!, /no backup was written to .*: the database is damaged/);
  await miscount(-5);
});

test('one that was due while no server ran is made at the start, and none without a schedule', async (t) => {
  const data = join(scratch(t), 'data');
  const run = async (testClock: string, schedule: string): Promise<string[]> => {
    const server = await startTestServer({ data, testClock, settings: { 'backup.schedule': schedule } });
    await server.advance(1000);
    await server.stop();
    return existsSync(join(data, 'backups')) ? readdirSync(join(data, 'backups')) : [];
  };
  assert.deepEqual(await run('2026-03-02T09:30:00Z', '0 * * * *'), []);
  const late = await run('2026-03-02T15:20:00Z', '0 * * * *');
  assert.deepEqual(late.length, 2);
  assert.deepEqual(await run('2026-03-02T19:20:00Z', 'null'), late);
});
