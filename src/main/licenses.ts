import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { getAsset, isSea } from 'node:sea';

const assetName = 'licenses.txt';

type Manifest = { name: string; version: string; license?: string | { type: string } };
type Lock = { packages: Readonly<Record<string, { dev?: boolean; devOptional?: boolean }>> };

/** The licence of parley, and those of everything that it consists of. The executable has the texts of its build. */
export const licenses = (): string => (isSea() ? getAsset(assetName, 'utf8') : licensesOfCheckout());

/** The licences of parley and of the installed packages that it runs with, Node among them; packages for development are left out. */
export function licensesOfCheckout(): string {
  const root = join(import.meta.dirname, '../..');
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as Lock;
  const directories = Object.entries(lock.packages)
    .filter(([path, { dev, devOptional }]) => path !== '' && dev !== true && devOptional !== true)
    .map(([path]) => join(root, path))
    .filter((directory) => existsSync(join(directory, 'package.json')));
  const own = `parley\n\n${readFileSync(join(root, 'LICENSE'), 'utf8').trim()}\n`;
  return [own, ...directories.map(licenseOf)].join(`\n${'-'.repeat(80)}\n\n`);
}

function licenseOf(directory: string): string {
  const { name, version, license } = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8')) as Manifest;
  const kind = typeof license === 'object' ? license.type : license;
  const files = globSync('{LICEN[CS]E,licen[cs]e,COPYING,NOTICE}*', { cwd: directory }).toSorted();
  const texts = files.map((file) => readFileSync(join(directory, file), 'utf8').trim());
  return [`${name} ${version}${kind === undefined ? '' : ` (${kind})`}`, ...texts].join('\n\n') + '\n';
}
