import assert from 'node:assert/strict';
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { after, before, test, type TestContext } from 'node:test';
import { createLog } from '../../src/base/log.ts';
import type { Config } from '../../src/base/config/schema.ts';
import { start } from '../../src/main.ts';
import { loadConfig } from '../../src/main/configuration.ts';
import { run, runHere, scratch } from './support.ts';

/** Starts in a data directory whose database or secrets.json is missing, empty, or from another installation. */

const configOf = (data: string): Config => {
  const argvSettings = [
    { path: 'data', value: data },
    { path: 'http.port', value: '0' },
  ];
  return loadConfig({ argvSettings, env: {}, readFile: () => '' }).config;
};
const startOn = (data: string) => start({ config: configOf(data), log: createLog('silent') });

let template: string;
before(async () => {
  template = mkdtempSync(join(tmpdir(), 'parley-missing-files-'));
  for (const name of ['data', 'other']) await (await startOn(join(template, name))).stop();
});
after(() => rmSync(template, { recursive: true }));

function installation(t: TestContext) {
  const data = join(scratch(t), 'data');
  cpSync(join(template, 'data'), data, { recursive: true });
  return { data, database: join(data, 'parley.db'), secrets: join(data, 'secrets.json') };
}

test('without secrets.json beside its database, the start refuses, says what to do, and creates none', async (t) => {
  const { data, secrets } = installation(t);
  const kept = readFileSync(secrets);
  rmSync(secrets);
  await assert.rejects(startOn(data), /secrets\.json is missing.*Put the file back.*parley restore FILE/);
  assert.equal(existsSync(secrets), false);
  const doctor = await runHere(t, ['doctor', '--data', data]);
  assert.equal(doctor.code, 1);
  assert.match(doctor.out, /secrets\.json is missing/);
  writeFileSync(secrets, kept);
  await (await startOn(data)).stop();
});

test('when secrets.json is lost, moving the database away starts anew with an empty installation', async (t) => {
  const { data, database, secrets } = installation(t);
  rmSync(secrets);
  await assert.rejects(startOn(data), /To start anew instead, move parley\.db and the files beside it .* away/);
  const moved = join(data, '..', 'old');
  mkdirSync(moved);
  for (const name of globSync(`${database}*`)) renameSync(name, join(moved, basename(name)));
  await (await startOn(data)).stop();
  assert.equal(existsSync(secrets), true);
});

test('with the secrets.json of another installation, the server does not start, and says what to do', async (t) => {
  const { data, secrets } = installation(t);
  copyFileSync(join(template, 'other', 'secrets.json'), secrets);
  await assert.rejects(startOn(data), /secrets\.json belongs to another installation.*Put the right file back/);
});

for (const [state, lose] of [
  ['missing', (file: string) => rmSync(file)],
  ['empty', (file: string) => writeFileSync(file, '')],
] as const) {
  test(`with a database that is ${state} beside its secrets, the start refuses and changes nothing`, async (t) => {
    const { data, database } = installation(t);
    lose(database);
    const size = existsSync(database) ? statSync(database).size : undefined;
    await assert.rejects(
      startOn(data),
      new RegExp(`parley\\.db is ${state}.*restore a backup with: parley restore FILE`),
    );
    assert.equal(existsSync(database) ? statSync(database).size : undefined, size);
  });
}

test('a database without an organization is empty, too', async (t) => {
  const { data } = installation(t);
  copyFileSync(join(data, 'secrets.json'), join(data, 'kept'));
  rmSync(join(data, 'parley.db'));
  rmSync(join(data, 'secrets.json'));
  const killed = await run(['serve', '--port', '0', '--data', data], {
    NODE_OPTIONS: `--import=${resolve(import.meta.dirname, '../crash/kill-at.ts')}`,
    CRASH_AT: 'bootstrap.uncommitted:1',
  });
  assert.equal(killed.code, null, killed.err);
  copyFileSync(join(data, 'kept'), join(data, 'secrets.json'));
  await assert.rejects(startOn(data), /parley\.db is empty/);
});

test('a first start that was killed half-way starts again, and its secrets are the ones of the installation', async (t) => {
  const data = join(scratch(t), 'data');
  const killed = await run(['serve', '--port', '0', '--data', data], {
    NODE_OPTIONS: `--import=${resolve(import.meta.dirname, '../crash/kill-at.ts')}`,
    CRASH_AT: 'bootstrap.uncommitted:1',
  });
  assert.equal(killed.code, null, killed.err);
  const tokenKey = (): unknown =>
    (JSON.parse(readFileSync(join(data, 'secrets.json'), 'utf8')) as Record<string, unknown>)['token_key'];
  const first = tokenKey();
  const running = await startOn(data);
  assert.equal(running.isFirstStart, true);
  await running.stop();
  assert.equal(tokenKey(), first);
  rmSync(join(data, 'parley.db'));
  await assert.rejects(startOn(data), /parley\.db is missing/, 'now it is an installation');
});

test('a start makes secrets.json readable by its owner alone', async (t) => {
  const { data, secrets } = installation(t);
  chmodSync(secrets, 0o644);
  await (await startOn(data)).stop();
  assert.equal(statSync(secrets).mode & 0o777, 0o600);
});
