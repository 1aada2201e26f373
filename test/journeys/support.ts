import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { TestContext } from 'node:test';
import { promisify } from 'node:util';
import { scratch } from '../cli/support.ts';

const root = resolve(import.meta.dirname, '../..');
const executable = join(root, 'dist/parley');

/** Why the journeys cannot be made; false when they can. In CI they must be. */
export const skip: string | false =
  existsSync(executable) || process.env['CI'] ? false : 'needs dist/parley: npm run package';

/** Runs a program of this checkout's build, and returns what it printed. */
export async function build(...args: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: root });
  return stdout;
}

/**
 * Runs test/journeys/<name>.sh with the packaged executable as `parley`, in an empty directory and an empty environment. Throws with its output
 * when a command fails; returns its last line.
 */
export async function journey(
  t: TestContext,
  name: string,
  env: Readonly<Record<string, string>> = {},
): Promise<string> {
  const directory = scratch(t);
  const [bin, home, work] = ['bin', 'home', 'work'].map((part) => join(directory, part)) as [string, string, string];
  for (const path of [bin, home, work]) mkdirSync(path);
  symlinkSync(executable, join(bin, 'parley'));
  symlinkSync(process.execPath, join(bin, 'node'));
  const { stdout } = await promisify(execFile)('bash', [join(import.meta.dirname, `${name}.sh`)], {
    cwd: work,
    env: { PATH: `${bin}:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin`, HOME: home, ...env },
    timeout: 240_000,
  });
  return stdout.trimEnd().split('\n').at(-1)!;
}
