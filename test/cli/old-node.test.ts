import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { suite, test, type TestContext } from 'node:test';
import manifest from '../../package.json' with { type: 'json' };
import { scratch } from './support.ts';

const bin = resolve(import.meta.dirname, '../../bin');

/** Makes this Node report version 20. */
const imitation = `data:text/javascript,Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.20.2' } })`;
/** The imitated Node 20 and, if the PATH has one, a real Node that is too old. */
const oldNodes: ReadonlyArray<{ name: string; command: readonly [string, ...string[]] }> = [
  { name: 'an imitated Node 20', command: [process.execPath, `--import=${imitation}`] },
  ...realOldNodes(),
];

function realOldNodes() {
  const candidates = (process.env['PATH'] ?? '').split(delimiter).map((path) => join(path, 'node'));
  const found = candidates.find((file) => existsSync(file) && isOld(file));
  return found === undefined ? [] : [{ name: found, command: [found] as const }];
}

function isOld(file: string): boolean {
  const { stdout } = spawnSync(file, ['--version'], { encoding: 'utf8' });
  return /^v(?:1[4-9]|2[0-5])\./.test(stdout);
}

/** Copies `bin` of the checkout. With `pinned`, a program, also installs a fake pinned Node that runs it. */
function checkout(t: TestContext, pinned?: string): string {
  const root = scratch(t);
  cpSync(bin, join(root, 'bin'), { recursive: true });
  writeFileSync(join(root, 'package.json'), '{"type":"module"}');
  if (pinned !== undefined) {
    const node = join(root, 'node_modules/.bin/node');
    mkdirSync(dirname(node), { recursive: true });
    writeFileSync(join(root, 'pinned.mjs'), pinned);
    writeFileSync(node, `#!/bin/sh\nexec '${process.execPath}' '${root}/pinned.mjs' "$@"\n`, { mode: 0o755 });
  }
  return join(root, 'bin/parley.js');
}

/** Runs a program (the first of `args`) with an old Node. Its stdin, stdout and stderr are pipes. */
function begin([file, ...options]: readonly [string, ...string[]], ...args: string[]): ChildProcess {
  return spawn(file, [...options, ...args], { env: { ...process.env, NODE_V8_COVERAGE: '' } });
}

async function end(child: ChildProcess) {
  const [out, err, [code, signal]] = await Promise.all([text(child.stdout!), text(child.stderr!), once(child, 'exit')]);
  return { out, err, code: code as number | null, signal: signal as string | null };
}

test('package.json pins the Node that parley needs', () => {
  for (const version of Object.values(manifest.optionalDependencies)) assert.match(version, /^26\./);
});

suite('an old Node', { skip: process.platform === 'win32' && 'needs a shell', concurrency: 2 }, () => {
  for (const { name, command } of oldNodes) {
    test(`says in one line what to run if the pinned Node is not installed: ${name}`, async (t) => {
      const { out, err, code } = await end(begin(command, checkout(t), 'serve', '--port', '0'));
      assert.deepEqual([code, out], [1, '']);
      assert.match(
        err,
        /^parley needs Node 26, but this is Node \d+\.\d+\.\d+: run "npm ci", .* and then "npm run parley -- serve --port 0"\.\n$/,
      );
    });

    test(`runs the pinned Node with the same arguments, streams and exit code: ${name}`, async (t) => {
      const program = checkout(
        t,
        `process.stdin.pipe(process.stdout); console.error(process.argv.slice(-3).join('|')); process.exitCode = 78;`,
      );
      const child = begin(command, program, 'serve', 'two words');
      child.stdin!.end('from standard input');
      const { out, err, code } = await end(child);
      assert.deepEqual([code, out, err], [78, 'from standard input', `${program}|serve|two words\n`]);
    });

    test(`passes each signal to the pinned Node once, and exits like it: ${name}`, async (t) => {
      const polite = `process.on('SIGTERM', () => { console.log('SIGTERM'); process.exit(3); });`;
      const program = checkout(
        t,
        `let ints = 0; process.on('SIGINT', () => console.log('SIGINT ' + (ints += 1)));
        ${polite} console.log('ready'); setInterval(() => {}, 1000);`,
      );
      const child = begin(command, program);
      const result = end(child);
      await once(child.stdout!, 'data');
      child.kill('SIGINT');
      await once(child.stdout!, 'data');
      child.kill('SIGTERM');
      assert.deepEqual(await result, { out: 'ready\nSIGINT 1\nSIGTERM\n', err: '', code: 3, signal: null });
      const killed = await end(begin(command, checkout(t, `process.kill(process.pid, 'SIGKILL');`)));
      assert.deepEqual([killed.code, killed.signal], [null, 'SIGKILL']);
    });
  }

  test('does not start itself in an endless loop if the installed Node is too old as well', async (t) => {
    const program = checkout(t);
    const binaries = resolve(dirname(program), '../node_modules/.bin');
    mkdirSync(binaries, { recursive: true });
    symlinkSync(process.execPath, join(binaries, 'node'));
    const { err, code } = await end(begin(oldNodes[0]!.command, program));
    assert.equal(code, 1);
    assert.match(err, /^parley needs Node 26/);
  });
});
