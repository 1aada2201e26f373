/**
 * `npm test`: runs the test files in groups, each in one process, because importing parley takes 0.6 s of processor time and the code runs
 * faster once it is compiled. Files run one after another in their group. A file that changes or watches what its process shares with others
 * says so in a line of its own, `// Own process: <reason>`, and runs alone. One that mostly waits (`// Waits: <for what>`) does so, too, and
 * starts early, one beside three that compute.
 *
 *   node --env-file=.env.test test/run.ts [--postgres | --long] [--without NAME,…] [pattern …]
 *
 * With patterns, only the groups of files whose path contains one of them; --without leaves out those whose name, but for `.test.ts`, is
 * one of these. With --postgres, the files that test the interface, whose
 * servers keep their data on a PostgreSQL server that is started for them, and those of test/postgres. With --long, each in a process of its
 * own, those of test/long and test/crash, those that say `// Long: <reason>`, which `npm test` leaves out, and those with properties of
 * which `npm test` tries a few cases.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { postgresPrograms, startPostgres } from './support/postgres.ts';

const maxFiles = 20;
/** The folders whose tests take longest come first, so that none is left over at the end. */
const folders = ['http', 'cli', 'client', 'db', 'jobs', 'unit'];
/** Tests of the other folders start programs. */
const grouped = ['http', 'client', 'db', 'jobs', 'unit'];
const others = ['browser', 'crash', 'journeys', 'long', 'postgres', 'sip'];
const longFolders = ['long', 'crash'];

const folderOf = (file: string): string => file.split('/')[1]!;
const { values, positionals: patterns } = parseArgs({
  options: {
    postgres: { type: 'boolean', default: false },
    long: { type: 'boolean', default: false },
    without: { type: 'string', default: '' },
  },
  allowPositionals: true,
});
const { postgres: onPostgres, long: inFull } = values;
const says = (file: string, what: RegExp): boolean => what.test(readFileSync(file, 'utf8'));
const waits = (file: string): boolean => says(file, /^\/\/ Waits: \S/m);
const isLong = (file: string): boolean => says(file, /^\/\/ Long: \S/m);
const needsOwnProcess = (file: string): boolean =>
  inFull || !grouped.includes(folderOf(file)) || says(file, /^\/\/ Own process: \S/m);

const extraFolders = onPostgres ? ['postgres'] : inFull ? longFolders : [];
const files = globSync(['test/*.test.ts', 'test/**/*.test.ts'])
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => extraFolders.includes(folderOf(file)) || !others.includes(folderOf(file)))
  .toSorted((a, b) => folders.indexOf(folderOf(a)) - folders.indexOf(folderOf(b)) || (a < b ? -1 : 1));

function groupsOf(paths: readonly string[]): string[][] {
  const groups: string[][] = [];
  for (const inFolder of Map.groupBy(paths, folderOf).values()) {
    const [together, alone] = [inFolder.filter((file) => !needsOwnProcess(file)), inFolder.filter(needsOwnProcess)];
    const count = Math.ceil(together.length / maxFiles);
    // Dealt out one by one, since neighbours by name take about as long.
    for (let n = 0; n < count; n += 1) groups.push(together.filter((_, index) => index % count === n));
    groups.push(...alone.map((file) => [file]));
  }
  return groups;
}

/** A module that runs the tests of several. No test begins before all are imported: Node ends a process when none is left to run. */
const moduleOf = (group: readonly string[], storeUrl?: string): string => `
import ${JSON.stringify(pathToFileURL(resolve('test/support/cheap-passwords.js')).href)};
${storeUrl === undefined ? '' : `process.env['PARLEY_STORE_URL'] = ${JSON.stringify(storeUrl)};`}
import { test } from 'node:test';
const { promise, resolve, reject } = Promise.withResolvers();
test('the files of the group are imported', () => promise);
try {
${group.map((file) => `  await import(${JSON.stringify(pathToFileURL(resolve(file)).href)});\n`).join('')}  resolve();
} catch (error) {
  reject(error);
}
`;

const isAll = patterns.length === 0;
/** A file that cannot run on PostgreSQL says so in a line of its own, with the reason. */
const runsOnBoth = (file: string): boolean => !/^\/\/ SQLite alone: \S/m.test(readFileSync(file, 'utf8'));
const isOfSuite = (file: string): boolean => {
  if (onPostgres) return ['http', 'postgres'].includes(folderOf(file));
  if (inFull) return longFolders.includes(folderOf(file)) || isLong(file) || says(file, /\bpropertyRuns\(/);
  return !isLong(file);
};
const isWanted = (file: string): boolean => (isAll ? isOfSuite(file) : patterns.some((part) => file.includes(part)));
const leftOut = values.without.split(',').map((name) => `/${name}.test.ts`);
const wanted = files.filter(
  (file) => isWanted(file) && (!onPostgres || runsOnBoth(file)) && !leftOut.some((end) => file.endsWith(end)),
);
const programs = onPostgres ? postgresPrograms() : undefined;
if (onPostgres && programs === undefined) throw new Error('needs a PostgreSQL server (Debian: postgresql)');
const server = programs === undefined ? undefined : startPostgres(programs);

const suite = onPostgres ? '-postgres' : inFull ? '-long' : '';
const directory = join(import.meta.dirname, `../node_modules/.cache/test-groups${suite}`);
rmSync(directory, { recursive: true, force: true });
mkdirSync(directory, { recursive: true });
function entryFor(name: string, group: readonly string[], storeUrl?: string): string {
  const entry = join(directory, `${name}.test.mjs`);
  writeFileSync(entry, moduleOf(group, storeUrl));
  return entry;
}
const waiting = wanted.filter(waits);
const computing = groupsOf(wanted.filter((file) => !waits(file)));
const inOrder = [
  ...waiting.flatMap((file, n) => [[file], ...computing.slice(3 * n, 3 * n + 3)]),
  ...computing.slice(3 * waiting.length),
];
const storeUrl = server?.url('postgres');
const entries = inOrder.map((group, index) => {
  const [first] = group as [string];
  const isOwn = folderOf(first) === 'postgres'; // They start servers as they need them.
  if (group.length === 1 && (!onPostgres || isOwn)) return first;
  return entryFor(`${folderOf(first)}-${index}`, group, storeUrl);
});
const child = spawn(
  process.execPath,
  [
    '--import=./test/support/preload.js',
    '--test',
    `--test-concurrency=${inFull ? 3 : 4}`,
    '--test-timeout=300000',
    '--test-reporter=./test/support/reporter.ts',
    ...entries,
  ],
  { stdio: 'inherit' },
);
const [code] = (await once(child, 'exit')) as [number | null];
server?.stop();
process.exitCode = code ?? 1;
