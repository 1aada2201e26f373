import { globSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

/** Reads the imports of the program's own modules, for the architecture test and the picture in docs/architecture.md. */

export type Import = { from: string; to: string; typeOnly: boolean };

export const root = resolve(import.meta.dirname, '..');

export const filesOf = (...patterns: string[]): string[] =>
  globSync(patterns, { cwd: root })
    .map((file) => file.replaceAll('\\', '/'))
    .toSorted();

export const textOf = (file: string): string => readFileSync(join(root, file), 'utf8');

export const programModules = (): string[] => filesOf('src/**/*.{ts,tsx}', 'bin/**/*.js');

/** The relative imports of a module, `from` and `to` as paths from the root. */
export function importsOf(from: string): Import[] {
  const text = textOf(from);
  const statements = [
    ...text.matchAll(/^(?:import|export)\b(?<clause>[^;'"]*?)\bfrom\s*['"](?<path>[^'"]+)['"]/gm),
    ...text.matchAll(/^import\s*(?<clause>)['"](?<path>[^'"]+)['"]/gm),
    ...text.matchAll(/\bimport\(\s*(?<clause>)['"](?<path>[^'"]+)['"]/g),
  ];
  return statements
    .map(({ groups }) => ({ path: groups?.['path'] ?? '', typeOnly: /^\s*type\b/.test(groups?.['clause'] ?? '') }))
    .filter(({ path }) => path.startsWith('.'))
    .map(({ path, typeOnly }) => ({ from, to: join(dirname(from), path).replaceAll('\\', '/'), typeOnly }));
}

/** `src/db/sql.ts` → `db`; `src/main.ts` → `main`; `bin/parley.js` → `bin`. */
export function layerOf(file: string): string {
  const [first = '', second = ''] = file.split('/');
  return first === 'src' ? second.replace(/\.ts$/, '') : first;
}

/** `src/features/calls/carriers/driver.ts` → `calls`; undefined outside the features' folders. */
export const featureOf = (file: string): string | undefined => /^src\/features\/([^/]+)\//.exec(file)?.[1];
