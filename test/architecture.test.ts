import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  featureOf,
  filesOf,
  type Import,
  importsOf,
  layerOf,
  programModules,
  root,
  textOf,
} from '../.build/imports.ts';

/**
 * Which layer may import which: `base < db < kernel < jobs, search, extraction, telephony < talking < features < http < dashboard < main < cli < bin`. A layer
 * imports itself and the layers listed for it. A new folder of src fails the test until it is listed here.
 */
const lower = ['base', 'db', 'kernel', 'search', 'extraction', 'telephony', 'talking', 'features'];
const mayImport: Readonly<Record<string, readonly string[]>> = {
  base: [],
  db: ['base'],
  kernel: ['base', 'db'],
  jobs: ['base', 'db', 'kernel'],
  search: ['base', 'db', 'kernel'],
  extraction: ['base'],
  telephony: ['base'],
  talking: ['base', 'telephony'],
  features: ['base', 'db', 'kernel', 'search', 'extraction', 'telephony', 'talking'],
  http: lower,
  dashboard: [],
  main: [...lower, 'jobs', 'http', 'dashboard'],
  cli: [...lower, 'jobs', 'http', 'dashboard', 'main'],
  bin: [...lower, 'jobs', 'http', 'dashboard', 'main', 'cli'],
};

/** A feature may import only features that stand before it in this list. */
const featureOrder = [
  'requests',
  'organizations',
  'views',
  'catalog',
  'knowledge',
  'endpoints',
  'agents',
  'contacts',
  'numbers',
  'calls',
  'campaigns',
  'analytics',
  'calendar',
  'webhooks',
  'privacy',
  'notifications',
  'finder',
  'live',
];

/** Files of a feature that others must not import: they use its service.ts, entities and events instead. */
const ownFiles = /(?:^|[-/])(?:store|routes|jobs)(?:\.ts$|\/)/;

/** The tables of all routes and all jobs may import every feature's routes and jobs, but no store. */
const routeTable = 'src/features/interface.ts';
const tables = [routeTable, 'src/features/index.ts'];
const tabled = /(?:^|[-/])(?:routes|jobs)(?:\.ts$|\/)/;

/** The part of telephony that knows neither SIP nor RTP. */
const soundFolder = 'src/telephony/audio/';

/** Code that depends on SQLite. The rest of the program uses `src/db/*.ts`, which another database could implement. */
const sqliteFolder = 'src/db/sqlite/';
const mayImportSqlite = /^src\/(?:db\/sqlite\/|search\/(?:index|contacts)\/sqlite\/|main(?:\/|\.ts$)|cli\/)/;

/** The only module that may read the system's time. */
const clockFile = 'src/base/clock.ts';

/** The dashboard's folders; each may import those before it. A page may not import another page. */
const dashboardOrder = ['text', 'client', 'sound', 'state', 'parts', 'pages', 'app'];
const typedClient = 'clients/typescript/index.ts';
const dashboardRoom = (file: string): string => /^src\/dashboard\/(\w+)/.exec(file)?.[1] ?? '';
const pageFolder = (file: string): string | undefined => /^src\/dashboard\/pages\/([^/]+)\//.exec(file)?.[1];

/** Why one of the dashboard's modules may not import another. */
function dashboardFaultOf({ from, to }: Import): string | undefined {
  if (to === typedClient) return dashboardRoom(from) === 'client' ? undefined : 'import src/dashboard/client.ts';
  const [room, target] = [dashboardRoom(from), dashboardRoom(to)];
  if (dashboardOrder.indexOf(target) > dashboardOrder.indexOf(room)) return `${room} may not import ${target}`;
  return target === 'pages' && room === 'pages' && pageFolder(from) !== pageFolder(to)
    ? 'a page may not import another page'
    : undefined;
}

const modules = programModules();
const imports = modules.flatMap(importsOf);

/** Why an import is not allowed, or undefined if it is. */
function faultOf({ from, to }: Import): string | undefined {
  const [layer, target] = [layerOf(from), layerOf(to)];
  if (layer === 'dashboard' && (target === 'dashboard' || to === typedClient))
    return dashboardFaultOf({ from, to, typeOnly: false });
  if (layer === 'cli' && to === typedClient) return undefined; // a command that works on a server elsewhere is a client as any other
  if (layer !== target && !mayImport[layer]?.includes(target)) return `${layer} may not import ${target}`;
  if (layer === 'talking' && target === 'telephony' && !to.startsWith(soundFolder))
    return `talking knows no SIP and no RTP: only ${soundFolder}`;
  if (to.startsWith(sqliteFolder) && !mayImportSqlite.test(from)) return `${sqliteFolder} is SQLite's own: use src/db`;
  const [feature, other] = [featureOf(from), featureOf(to)];
  if (other === undefined || feature === other) return undefined;
  if (tables.includes(from) && tabled.test(to)) return undefined;
  if (ownFiles.test(to)) return `that file is ${other}'s own: call its service.ts`;
  if (feature === undefined) return undefined;
  if (featureOrder.indexOf(feature) < featureOrder.indexOf(other)) return `${feature} comes before ${other}`;
  return undefined;
}

/** The files of a circle of imports in order, or undefined if there is none. Imports of types count, too. */
function findCycle(edges: readonly Import[]): string[] | undefined {
  const targets = Map.groupBy(edges, ({ from }) => from);
  const done = new Set<string>();
  const visit = (file: string, path: readonly string[]): string[] | undefined => {
    if (path.includes(file)) return [...path.slice(path.indexOf(file)), file];
    if (done.has(file)) return undefined;
    for (const { to } of targets.get(file) ?? []) {
      const cycle = visit(to, [...path, file]);
      if (cycle) return cycle;
    }
    done.add(file);
    return undefined;
  };
  for (const file of targets.keys()) {
    const cycle = visit(file, []);
    if (cycle) return cycle;
  }
  return undefined;
}

/** Lines of code that match, as `file:line: text`; comments do not count. */
function placesOf(files: readonly string[], pattern: RegExp): string[] {
  return files.flatMap((file) =>
    textOf(file)
      .split('\n')
      .map((line, index) => ({
        place: `${file}:${index + 1}`,
        code: line.replace(/(?:^|\s)(?:\/\/|\/?\*|--\s).*$/, ''),
      }))
      .filter(({ code }) => pattern.test(code))
      .map(({ place, code }) => `${place}: ${code.trim()}`),
  );
}

test('every layer and feature is listed, and modules of each were read', () => {
  assert.ok(modules.length >= 20, `only ${modules.length} modules were seen`);
  assert.ok(imports.length >= modules.length, `only ${imports.length} imports were seen in ${modules.length} modules`);
  const seen = new Set(modules.map(layerOf));
  assert.deepEqual(
    [...seen].filter((layer) => !(layer in mayImport)),
    [],
    'layers missing from mayImport',
  );
  const present = Object.keys(mayImport).filter((layer) =>
    existsSync(join(root, layer === 'bin' ? layer : `src/${layer}`)),
  );
  const empty = present.filter((layer) => !seen.has(layer) && filesOf(`src/${layer}/**/*`).length > 0);
  assert.deepEqual(empty, [], 'folders without a module');
  const features = new Set(modules.map(featureOf).filter((name) => name !== undefined));
  assert.deepEqual(
    [...features].filter((name) => !featureOrder.includes(name)),
    [],
    'features missing from featureOrder',
  );
});

test('the program imports nothing from outside src and bin except package.json and, in pages and commands, the typed client', () => {
  const outside = imports.filter(
    ({ from, to }) =>
      !/^(?:src|bin)\//.test(to) &&
      to !== 'package.json' &&
      !(to === typedClient && (from === 'src/dashboard/client.ts' || from.startsWith('src/cli/'))),
  );
  assert.deepEqual(outside, []);
});

test('imports run one way', () => {
  const faults = imports
    .filter(({ to }) => to !== 'package.json')
    .map((edge) => ({ edge, fault: faultOf(edge) }))
    .filter(({ fault }) => fault !== undefined)
    .map(({ edge, fault }) => `${edge.from} imports ${edge.to}: ${fault}`);
  assert.deepEqual(faults, []);
});

test('the rules refuse forbidden imports and allow permitted ones', () => {
  const fault = (from: string, to: string): string | undefined => faultOf({ from, to, typeOnly: false });
  assert.match(fault('src/base/log.ts', 'src/db/sqlite/open.ts') ?? '', /base may not import db/);
  for (const from of ['src/db/transaction.ts', 'src/kernel/queue.ts', 'src/jobs/store.ts', 'src/search/service.ts']) {
    assert.match(fault(from, 'src/db/sqlite/open.ts') ?? '', /SQLite's own/);
  }
  for (const from of ['src/main.ts', 'src/main/app.ts', 'src/cli/doctor.ts', 'src/search/index/sqlite/postings.ts']) {
    assert.equal(fault(from, 'src/db/sqlite/open.ts'), undefined);
  }
  assert.match(fault('src/http/server.ts', 'src/jobs/runner.ts') ?? '', /http may not import jobs/);
  assert.match(fault('src/telephony/dialog/phone.ts', 'src/kernel/app.ts') ?? '', /telephony may not import kernel/);
  assert.match(fault('src/features/calls/service.ts', 'src/features/campaigns/plan/plan.ts') ?? '', /comes before/);
  assert.match(fault('src/features/campaigns/service.ts', 'src/features/calls/store.ts') ?? '', /calls's own/);
  assert.match(fault('src/http/auth.ts', 'src/features/organizations/store.ts') ?? '', /organizations's own/);
  assert.match(fault(routeTable, 'src/features/calls/store.ts') ?? '', /calls's own/);
  assert.equal(fault(routeTable, 'src/features/calls/routes.ts'), undefined);
  assert.equal(fault('src/features/campaigns/service.ts', 'src/features/calls/service.ts'), undefined);
  assert.equal(fault('src/features/calls/service.ts', 'src/features/calls/store.ts'), undefined);
  const page = 'src/dashboard/pages/calls/index.tsx';
  assert.match(fault(page, 'src/kernel/route.ts') ?? '', /dashboard may not import kernel/);
  assert.match(fault(page, 'src/dashboard/app/shell.tsx') ?? '', /pages may not import app/);
  assert.match(fault(page, 'src/dashboard/pages/agents/form.tsx') ?? '', /another page/);
  assert.match(
    fault('src/dashboard/state/live.ts', 'src/dashboard/parts/time.tsx') ?? '',
    /state may not import parts/,
  );
  assert.match(fault(page, typedClient) ?? '', /import src\/dashboard\/client/);
  assert.equal(fault(page, 'src/dashboard/parts/table.tsx'), undefined);
  assert.equal(fault('src/dashboard/client.ts', typedClient), undefined);
});

test('no modules import each other in a circle, not even types', () => {
  assert.equal(findCycle(imports)?.join(' → '), undefined);
  const edge = (from: string, to: string, typeOnly = false): Import => ({ from, to, typeOnly });
  assert.deepEqual(findCycle([edge('a', 'b'), edge('b', 'c'), edge('c', 'b', true)]), ['b', 'c', 'b']);
  assert.equal(findCycle([edge('a', 'b'), edge('a', 'c'), edge('b', 'c')]), undefined);
});

test('only the clock reads the time', () => {
  const others = modules.filter((file) => file !== clockFile);
  assert.deepEqual(placesOf(others, /\bDate\.now\b|\bnew Date\(|\bTemporal\.Now\b/), []);
  assert.notEqual(placesOf([clockFile], /\bDate\.now\b/).length, 0, 'the pattern matches');
});

/** Patterns of SQL that PostgreSQL lacks or reads differently. Each must match in a folder that may use it, which tests the pattern. */
const sqliteWords: readonly RegExp[] = [
  /\bjson_(?:each|extract|group_array)\s*\(/i,
  /\bgroup_concat\s*\(/i,
  /\binstr\s*\(/i,
  /\btotal_changes\s*\(/i,
  /(?<![.\w])(?:min|max)\((?:[^()]|\([^()]*\))*,/i, // with one argument they are aggregates of standard SQL
  /\bfts5\b/i,
  /\browid\b/i,
  /\bMATCH \$/,
  /\bAUTOINCREMENT\b/,
  /\bPRAGMA\b|\.pragma\(/,
  /\bBEGIN IMMEDIATE\b/,
  /\bCROSS JOIN\b/, // other databases allow no ON after it
  /(?:`|\b(?:AND|OR|WHERE|BY|SELECT)\s)\s*\+\$?[{a-z]/, // a unary plus before a column, which hides it from SQLite's planner
  /\bSQLITE_[A-Z]+/,
  /\bsqlite_(?:schema|master|sequence|stat\d)\b/,
  /'\+\?'/,
  /['"]better-sqlite3['"]/,
  /\bSqlite[A-Z]\w*/,
];

/** More such patterns. They match nothing in the program now, so each comes with a text that it must match. */
const unusedSqliteWords: ReadonlyArray<readonly [RegExp, string]> = [
  [/\biif\s*\(/i, "iif(state = 'kept', 1, 0)"],
  [/\bifnull\s*\(/i, "ifnull(name, '')"],
  [/\btypeof\s*\(\s*\$|\bSELECT typeof\b/i, 'SELECT typeof(x)'],
  [/\blast_insert_rowid\b|\bchanges\(\)/i, 'SELECT changes()'],
  [/\bINSERT OR [A-Z]+\b|\bREPLACE INTO\b/, 'INSERT OR IGNORE INTO t'],
  [/\b(?:strftime|julianday|unixepoch)\s*\(/i, "strftime('%s', at)"],
  [/\bINDEXED BY\b/, 'FROM t INDEXED BY i'],
  [/\bGLOB\b\s/, "name GLOB 'a*'"],
  [/\bCOLLATE (?:NOCASE|BINARY|RTRIM)\b/i, 'name COLLATE NOCASE'],
  [/\b(?:randomblob|zeroblob|quote)\s*\(\s*[\d$]/i, 'randomblob(16)'],
  [/\bAS [a-z]\w*[A-Z]/, 'SELECT is_current AS isCurrent'], // PostgreSQL folds a name without quotes to lower case
];

test('only the SQLite folders use words that only SQLite knows', () => {
  const sqliteFolders = /^src\/(?:db\/sqlite\/|db\/sql\.ts$|search\/(?:index|contacts)\/sqlite\/)/;
  const allowed = modules.filter((file) => sqliteFolders.test(file));
  const refused = modules.filter((file) => !sqliteFolders.test(file));
  const sqlFiles = filesOf('sql/sqlite/*.sql');
  const words = [...sqliteWords, ...unusedSqliteWords.map(([word]) => word)];
  assert.deepEqual(
    words.flatMap((word) => placesOf(refused, word)),
    [],
  );
  for (const word of sqliteWords) {
    assert.notEqual(placesOf([...allowed, ...sqlFiles], word).length, 0, `${word} matches nothing, so it may be wrong`);
  }
  for (const [word, text] of unusedSqliteWords) assert.match(text, word);
});

test('no SQL reads the time', () => {
  const sqlNow =
    /\bCURRENT_(?:TIMESTAMP|DATE|TIME)\b|\b(?:datetime|date|time|julianday|unixepoch|strftime)\s*\([^)]*['"]now['"]|\b(?:julianday|unixepoch)\s*\(\s*\)/i;
  const files = [...modules, ...filesOf('sql/**/*.sql')];
  assert.notEqual(filesOf('sql/**/*.sql').length, 0);
  assert.deepEqual(placesOf(files, sqlNow), []);
  for (const text of ["datetime('now')", 'DEFAULT CURRENT_TIMESTAMP', "strftime('%s', 'now')", 'unixepoch()']) {
    assert.match(text, sqlNow);
  }
});

test('maps and sets of an app, which hold only while one process owns the data, are named in kernel/node.ts', () => {
  const unnamed = programModules()
    .filter((module) => !module.endsWith('kernel/node.ts'))
    .filter((module) => /appLocal\([^;]*?new (?:Map|Set)\b/s.test(textOf(module)));
  assert.deepEqual(unnamed, []);
});
