import { resolve } from 'node:path';
import { build } from 'esbuild';

const root = resolve(import.meta.dirname, '..');

/**
 * In a single executable, `require` only knows builtin modules, but better-sqlite3 loads its addon by path. For packages that read the
 * name and directory of their file, both are those of the executable.
 */
export const moduleGlobals = `
__filename = require('node:path').resolve(process.execPath);
require = require('node:module').createRequire(__filename);
__dirname = require('node:path').dirname(__filename);
`;

type Bundle = { entry: string; outfile: string; version: string; banner?: string };

/** Bundles to CommonJS, because Node's code cache does not cover ES modules. */
export async function bundle({ entry, outfile, version, banner = '' }: Bundle): Promise<void> {
  await build({
    absWorkingDir: root,
    entryPoints: [entry],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: `node${process.versions.node}`,
    banner: { js: banner },
    define: { PARLEY_BUILD_VERSION: JSON.stringify(version) },
    // Minify, since the source stays in memory, but keep names and lines for readable stack traces.
    minifyWhitespace: true,
    minifySyntax: true,
    keepNames: true,
    lineLimit: 120,
    legalComments: 'none', // `parley licenses` prints the licences
    logLevel: 'warning',
    // `import.meta` is only used when running from a checkout.
    logOverride: { 'empty-import-meta': 'silent' },
  });
}
