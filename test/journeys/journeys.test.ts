import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { globSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { scratch } from '../cli/support.ts';
import { blocksOf } from '../support/guides.ts';
import { build, journey, skip } from './support.ts';

const lacks = (...programs: string[]): string | false =>
  skip || (programs.find((program) => spawnSync(program, ['--version']).error) ?? false);

test(
  'a newcomer has a first verified webhook within two minutes',
  { skip: lacks('python3', 'curl'), timeout: 120_000 },
  async (t) => {
    const receiver = join(scratch(t), 'receiver.py');
    writeFileSync(receiver, blocksOf('webhooks.md').find(({ language }) => language === 'python')!.code);
    assert.match(await journey(t, 'newcomer', { RECEIVER: receiver }), /^1 event: 1 forwarded, 0 failed/);
  },
);

test('an integrator has their tests run in CI, twice with the same outcome', { skip: lacks('npm') }, async (t) => {
  const directory = scratch(t);
  const client = join(directory, 'client');
  await build('.build/package-client.ts', '--out', client);
  execFileSync('npm', ['pack', '--silent', '--pack-destination', directory], { cwd: client });
  const [archive] = globSync(join(directory, '*.tgz'));
  assert.match(await journey(t, 'integrator', { CLIENT: archive! }), /^\d+ lines are the same with the same seed$/);
});

test(
  'sales operations call a messy list twice and have files of the results',
  { skip: lacks('jq', 'curl', 'unzip') },
  async (t) => {
    assert.equal(await journey(t, 'sales'), 'two rounds are called, and the results are files');
  },
);

test(
  'an administrator installs, secures, backs up, upgrades and restores',
  { skip: lacks('dpkg-deb', 'jq', 'curl', 'openssl') },
  async (t) => {
    const directory = scratch(t);
    await build('.build/deb.ts', '--out', directory, '--compression', 'none');
    const [DEB] = globSync(join(directory, '*.deb'));
    assert.equal(
      await journey(t, 'administrator', { DEB: DEB! }),
      'backed up, upgraded, restored elsewhere and removed',
    );
  },
);
