/**
 * Builds the dashboard with esbuild: scripts and styles under names that contain their content's hash, each compressed as far as br and
 * gzip can, and the HTML of each group of pages. Prints the build as JSON (src/http/dashboard/build.ts).
 *
 *   node .build/dashboard.ts > build.json
 *
 * A checkout runs it when the dashboard is opened for the first time (src/main/dashboard.ts); .build/package.ts embeds its result.
 */
import { basename, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { globSync, readFileSync } from 'node:fs';
import { build, type BuildOptions, type Metafile, type OutputFile, type Plugin } from 'esbuild';
import type { DashboardBuild } from '../src/http/dashboard/build.ts';
import { errorPage, page } from '../src/http/dashboard/html.ts';

const root = resolve(import.meta.dirname, '..');
const source = 'src/dashboard';
/** Browsers that know `light-dark()`, cascade layers and native dialogs. */
const target = ['chrome123', 'firefox120', 'safari17.5'];

const types: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
};

const filesIn = (pattern: string | string[]): string[] =>
  globSync(pattern, { cwd: join(root, source) })
    .map((file) => file.replaceAll('\\', '/'))
    .toSorted();

/** Files that pages share: any page loads all of `shared`; a page that uses some of `few` loads all of `few`. */
const sharedFiles = {
  shared: ['parts/*.{ts,tsx}', 'state/*.ts', 'text/{en,plural}.ts', 'client.ts'],
  few: 'parts/few/*',
};

/** Whether a group of pages uses anything that only few do. */
const usesFew = (group: string): boolean =>
  filesIn(`pages/${group}/*.{ts,tsx}`).some((file) =>
    readFileSync(join(root, source, file), 'utf8').includes('/parts/few/'),
  );

/**
 * Makes groups of pages import everything that they share. esbuild puts modules into one file if the same entries import them, so what is
 * shared becomes two files instead of one for each combination of pages, and a page costs few requests.
 */
const sharedTogether: Plugin = {
  name: 'shared-together',
  setup(building) {
    building.onResolve({ filter: /^(?:shared|few)$/ }, ({ path }) => ({ path, namespace: 'shared' }));
    building.onLoad({ filter: /^/, namespace: 'shared' }, ({ path }) => ({
      contents: filesIn(sharedFiles[path as keyof typeof sharedFiles])
        .map((file) => `import ${JSON.stringify(`./${file}`)};`)
        .join('\n'),
      resolveDir: join(root, source),
    }));
    building.onLoad({ filter: /[\\/]dashboard[\\/](?:app|pages[\\/][\w-]+[\\/]index)\.tsx$/ }, ({ path }) => {
      const group = /pages[\\/]([\w-]+)/.exec(path)?.[1];
      const kinds = ['shared', ...(group !== undefined && usesFew(group) ? ['few'] : [])];
      const contents = [readFileSync(path, 'utf8'), ...kinds.map((kind) => `import '${kind}';`)].join('\n');
      return { contents, loader: 'tsx' };
    });
  },
};

const brotli = promisify(brotliCompress);
const gzipped = promisify(gzip);

async function assetOf({ path, contents }: OutputFile): Promise<[string, DashboardBuild['assets'][string]]> {
  const [br, gz] = await Promise.all([
    brotli(contents, {
      params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: contents.length },
    }),
    gzipped(contents, { level: 9 }),
  ]);
  const name = path.split(/[\\/]/).at(-1)!;
  return [name, { type: types[name.split('.').at(-1)!]!, br: br.toString('base64'), gzip: gz.toString('base64') }];
}

/** The output of an entry point, and of everything that it imports statically. */
function scriptsOf({ outputs }: Metafile, entry: string): string[] {
  const own = Object.entries(outputs).find(([, { entryPoint }]) => entryPoint === entry)?.[0];
  const seen = new Set<string>();
  const visit = (name: string): void => {
    if (seen.has(name)) return;
    seen.add(name);
    for (const { path, kind } of outputs[name]!.imports) if (kind === 'import-statement') visit(path);
  };
  if (own !== undefined) visit(own);
  return [...seen];
}

const urlOf = (output: string): string => `/assets/${output.split('/').at(-1)}`;

const common = {
  absWorkingDir: root,
  outdir: join(root, 'dist/assets'),
  entryNames: '[name]-[hash]',
  chunkNames: '[name]-[hash]',
  assetNames: '[name]-[hash]',
  bundle: true,
  write: false,
  format: 'esm',
  platform: 'browser',
  target,
  minify: true,
  legalComments: 'none',
  logLevel: 'silent',
} as const satisfies BuildOptions;

export async function buildDashboard(): Promise<DashboardBuild> {
  // A worklet is loaded by its name, as a file that imports nothing.
  const worklet = await build({ ...common, entryPoints: [`${source}/sound/worklet.ts`] });
  const workletFile = basename(worklet.outputFiles[0]!.path);
  const { outputFiles, metafile } = await build({
    ...common,
    entryPoints: [`${source}/app.tsx`, `${source}/styles/dashboard.css`, `${source}/styles/icon.svg`],
    metafile: true,
    splitting: true,
    define: { workletFile: JSON.stringify(workletFile) },
    jsx: 'automatic',
    jsxImportSource: 'preact',
    loader: { '.svg': 'copy', '.txt': 'text' },
    plugins: [sharedTogether],
  });
  const named = (pattern: RegExp): string => urlOf(Object.keys(metafile.outputs).find((name) => pattern.test(name))!);
  const [style, icon] = [named(/\/dashboard-\w+\.css$/), named(/\/icon-\w+\.svg$/)];
  const shell = scriptsOf(metafile, `${source}/app.tsx`);
  const groups = Object.values(metafile.outputs).flatMap(
    ({ entryPoint = '' }) => new RegExp(`^${source}/pages/([\\w-]+)/index\\.tsx$`).exec(entryPoint)?.[1] ?? [],
  );
  const htmlOf = (group: string): string => {
    const [script, ...preloads] = [...shell, ...scriptsOf(metafile, `${source}/pages/${group}/index.tsx`)];
    return page({ style, icon, script: urlOf(script!), preloads: [...new Set(preloads)].map(urlOf) });
  };
  return {
    assets: Object.fromEntries(await Promise.all([...outputFiles, ...worklet.outputFiles].map(assetOf))),
    pages: Object.fromEntries(['', ...groups].map((group) => [group, htmlOf(group)])),
    notFound: errorPage('Not found', ['There is nothing at this address.'], { style, icon }),
  };
}

if (import.meta.main) process.stdout.write(JSON.stringify(await buildDashboard()));
