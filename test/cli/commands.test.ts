import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { groupsIn } from '../../src/http/docs/guides/source.ts';
import { guidesOfCheckout } from '../../src/main/guides.ts';
import { type Result, run, runHere, scratch } from './support.ts';

test('wrong usage exits with 2 and shows the right usage on standard error', async (t) => {
  const cases: ReadonlyArray<readonly [string[], RegExp]> = [
    [[], /No command given[^]*parley serve \[--config FILE\]/],
    [['sreve'], /^There is no command "sreve"; did you mean serve\? "parley help" lists all commands\.$/],
    [['frobnicate'], /^There is no command "frobnicate"\. "parley help" lists all commands\.$/],
    [['completion', 'csh'], /"csh" is not one of bash, zsh and fish/],
    [['serve', '--colour'], /--colour[^]*Usage: parley serve/],
    [['serve', 'here'], /here[^]*Usage: parley serve/],
    [['serve', '--set', 'http.port'], /--set must be PATH=VALUE[^]*Usage: parley serve/],
    [['serve', '--ephemeral', '--test-clock', 'noon'], /--test-clock must be an ISO 8601 time[^]*"noon"/],
    [['demo', '--contacts', '0'], /--contacts must be a whole number/],
    [['demo', '--data', 'here'], /takes no --data/],
    [['config'], /config has one subcommand: print/],
    [['version', '--jsno'], /^There is no flag --jsno; did you mean --json\?\nUsage: /],
  ];
  for (const [args, message] of cases) {
    const { code, out, err } = await runHere(t, args);
    assert.deepEqual([code, out], [2, ''], args.join(' '));
    assert.match(err, message);
  }
});

test('help for all commands or for one goes to standard output', async (t) => {
  const all = await runHere(t, ['help']);
  const one = await runHere(t, ['serve', '--help']);
  assert.deepEqual([all.code, all.err, one.code, one.err], [0, '', 0, '']);
  assert.match(all.out, /^Usage:\n {2}parley serve [^]* {2}parley version \[--json\]\n/);
  assert.match(all.out, /\/docs on every running server/);
  assert.match(one.out, /^Usage: parley serve .*\nRun the server\.\n\nFlags:\n {2}--config FILE +YAML/);
  assert.match(one.out, /\n\nExample:\n {2}parley serve --data/);
});

test('help names every guide that is served, by its title, apart from those about the code', async (t) => {
  const { out } = await runHere(t, ['help']);
  const groups = groupsIn(guidesOfCheckout());
  const served = groups.flatMap(({ title, guides }) => (title === 'How parley is built' ? [] : guides));
  const named = [...out.matchAll(/^ {4}\/docs\/guides\/(\S+) +(.+)$/gm)].map(([, slug, title]) => ({ slug, title }));
  assert.deepEqual(
    named,
    served.map(({ slug, title }) => ({ slug, title })),
  );
  for (const slug of ['postgres', 'availability', 'tutorials-first-webhook'])
    assert.ok(named.some((guide) => guide.slug === slug));
});

test('the help of each command explains every flag that its usage shows, and no other', async (t) => {
  const names = [...(await runHere(t, ['help'])).out.matchAll(/^ {2}parley ([a-z]+) /gm)].map(([, name]) => name!);
  assert.ok(names.length >= 14);
  for (const name of names) {
    const { out } = await runHere(t, [name, '--help']);
    const [usage, explained = ''] = out.split('\nFlags:\n');
    const flagsIn = (text: string): string[] => [...new Set(text.match(/(?<![\w-])--[a-z][a-z-]*/g) ?? [])].toSorted();
    const shown = [...explained.split('\n\nExample:')[0]!.matchAll(/^ {2}(--[a-z-]+)/gm)].map(([, flag]) => flag!);
    assert.deepEqual(shown.toSorted(), flagsIn(usage!.split('\n')[0]!), name);
  }
});

test('completion prints a script that the shell accepts, with commands, subcommands and flags', async (t) => {
  const { code, out } = await runHere(t, ['completion', 'bash']);
  assert.equal(code, 0);
  const wordsAfter = (...words: string[]): string => {
    const script = `${out}\nCOMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}; _parley; echo "\${COMPREPLY[@]}"`;
    return execFileSync('bash', ['-c', script], { encoding: 'utf8' }).trim();
  };
  assert.equal(wordsAfter('parley', 'res'), 'restore');
  assert.equal(wordsAfter('parley', 'keys', 're'), 'revoke');
  assert.equal(wordsAfter('parley', 'restore', '--k'), '--keep-running');
  for (const shell of ['zsh', 'fish']) assert.match((await runHere(t, ['completion', shell])).out, /setup-link/);
});

test('what the operating system refuses is said as a sentence that names the file', async (t) => {
  const file = join(scratch(t), 'file');
  writeFileSync(file, '');
  const { code, err } = await runHere(t, ['serve', '--port', '0', '--data', join(file, 'data')]);
  assert.equal(code, 1);
  assert.match(err, /^The directory .*file\/data cannot be made: a part of the path is a file \(ENOTDIR\)\.$/);
});

test(
  'a data directory in a file system that takes none is refused, not tried for ever',
  { skip: process.platform !== 'linux' },
  async (t) => {
    const { code, err } = await runHere(t, ['serve', '--port', '0', '--data', '/proc/parley']);
    assert.deepEqual([code, err.startsWith('The directory /proc/parley cannot be made')], [1, true]);
  },
);

test('openapi prints the OpenAPI document', async (t) => {
  const { code, out } = await runHere(t, ['openapi']);
  assert.equal(code, 0);
  assert.equal((JSON.parse(out) as { openapi: string }).openapi, '3.1.0');
});

test('every command accepts --data, even if it needs no data', async (t) => {
  for (const args of [['version'], ['--version'], ['openapi'], ['config', 'print'], ['help']]) {
    const { code, err } = await runHere(t, [...args, '--data', scratch(t)]);
    assert.deepEqual([code, err], [0, ''], args.join(' '));
  }
});

test('a configuration file that cannot be read makes parley exit with 78, and is named', async (t) => {
  const { code, err } = await runHere(t, ['config', 'print', '--config', join(scratch(t), 'nowhere.yaml')]);
  assert.equal(code, 78);
  assert.match(err, /nowhere\.yaml cannot be read/);
});

suite('the process', { concurrency: 2 }, () => {
  test('exits with 0 on success', async () => {
    const { code, out, err } = await run(['version', '--json']);
    assert.deepEqual([code, err], [0, '']);
    assert.deepEqual(Object.keys(JSON.parse(out) as object), ['version', 'node', 'platform', 'arch']);
  });

  test('exits with 2 on wrong usage', async () => {
    const { code, out, err } = await run(['serve', '--test-clock', '2026-03-02T09:00:00Z']);
    assert.deepEqual([code, out], [2, '']);
    assert.match(err, /--test-clock needs --ephemeral[^]*Usage: parley serve/);
  });

  test('prefers a flag to a variable, a variable to the file and the file to the default, and masks secrets', async (t) => {
    const file = join(scratch(t), 'config.yaml');
    writeFileSync(
      file,
      'http:\n  host: 127.0.0.2\n  port: 1001\nlog:\n  level: debug\nemail:\n  password: open sesame\n',
    );
    const { code, out, err } = await run(['config', 'print', '--config', file, '--set', 'http.port=1003'], {
      PARLEY_HTTP_PORT: '1002',
      PARLEY_LOG_LEVEL: 'warn',
    });
    assert.deepEqual([code, err], [0, '']);
    const lines = out.split('\n');
    for (const expected of [
      'http.port = 1003   # flag --set',
      'log.level = warn   # env PARLEY_LOG_LEVEL',
      `http.host = 127.0.0.2   # ${file}:2`,
      'email.port = 587   # default',
      `email.password = ********   # ${file}:7`,
    ]) {
      assert.ok(lines.includes(expected), `${expected}\nis not in\n${out}`);
    }
    assert.equal(out.includes('sesame'), false);
    assert.equal(out.endsWith('\n\n'), false);
  });

  test('exits with 78 on a bad configuration, names every setting and its line, and starts nothing', async (t) => {
    const directory = scratch(t);
    const file = join(directory, 'config.yaml');
    const data = join(directory, 'data');
    writeFileSync(file, 'data: ./elsewhere\nhttp:\n  prot: 80\n  port: many\n');
    const { code, err } = await run(['serve', '--config', file, '--data', data]);
    assert.equal(code, 78);
    assert.match(err, /http\.prot.*line 3.*http\.port/);
    assert.match(err, /http\.port must be .*line 4/);
    assert.equal(existsSync(data), false);
  });

  test('exits with 78 on settings that only the start can check', async (t) => {
    const directory = scratch(t);
    const damaged = join(directory, 'ca.pem');
    const words = join(directory, 'ca.txt');
    writeFileSync(words, 'our authority');
    writeFileSync(damaged, '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n');
    const startWith = (file: string): Promise<Result> =>
      run(['serve', '--ephemeral', '--port', '0', '--set', `outbound.ca_file=${file}`]);
    const [key, authority, text, half] = await Promise.all([
      run(['serve', '--ephemeral', '--port', '0'], { PARLEY_BOOTSTRAP_API_KEY: 'too short' }),
      startWith('/nowhere/ca.pem'),
      startWith(words),
      startWith(damaged),
    ]);
    assert.deepEqual([key.code, authority.code, text.code, half.code], [78, 78, 78, 78]);
    assert.match(key.err, /PARLEY_BOOTSTRAP_API_KEY must have 16 to 128 printable characters/);
    assert.match(
      authority.err,
      /outbound\.ca_file names \/nowhere\/ca\.pem, which cannot be read: it does not exist \(ENOENT\)/,
    );
    assert.match(text.err, /outbound\.ca_file names .*ca\.txt, and it holds no PEM certificate/);
    assert.match(half.err, /outbound\.ca_file names .*ca\.pem, and certificate 1 of 1 in it is damaged/);
    assert.doesNotMatch(`${text.err}${half.err}`, /^ +at /m);
  });
});
