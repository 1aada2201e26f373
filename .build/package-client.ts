/**
 * `npm run package:client` compiles the typed client to JavaScript with declarations, as a package that npm can install, pack and publish:
 * as ES modules and, in `cjs`, for `require`.
 *
 *   node .build/package-client.ts [--out dist/client]
 *
 * It is compiled without Node's types, so a part that needs more than a browser has fails here.
 */
import { execFileSync } from 'node:child_process';
import { copyFileSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import manifest from '../package.json' with { type: 'json' };

const root = resolve(import.meta.dirname, '..');
const source = join(root, 'clients/typescript');

const files = (name: string) => ({ types: `./${name}.d.ts`, default: `./${name}.js` });
const entry = (name: string) => ({ import: files(name), require: files(`cjs/${name}`) });

const packageManifest = {
  name: 'parley-client',
  version: manifest.version,
  description: 'Typed client of the parley API',
  license: manifest.license,
  type: 'module',
  main: './cjs/index.js',
  types: './cjs/index.d.ts',
  sideEffects: false,
  engines: { node: '>=20' },
  exports: { '.': entry('index'), './webhooks': entry('webhooks'), './package.json': './package.json' },
};

const { values } = parseArgs({ options: { out: { type: 'string', default: join(root, 'dist/client') } } });
const out = resolve(values.out);
rmSync(out, { recursive: true, force: true });
mkdirSync(join(out, 'cjs'), { recursive: true });
const compiler = join(root, 'node_modules/typescript/bin/tsc');
const forRequire = ['--module', 'commonjs', '--moduleResolution', 'bundler', '--verbatimModuleSyntax', 'false'];
for (const [directory, options] of [
  [out, []],
  [join(out, 'cjs'), forRequire],
] as const)
  execFileSync(process.execPath, [compiler, '-p', source, '--outDir', directory, ...options], { stdio: 'inherit' });
// tsc rewrites imports in JavaScript only, and older compilers refuse `.ts` in declarations.
for (const file of globSync(join(out, '{.,cjs}/*.d.ts'))) {
  writeFileSync(file, readFileSync(file, 'utf8').replaceAll(/(from '\.\/[\w.-]+)\.ts'/g, "$1.js'"));
}
writeFileSync(join(out, 'cjs/package.json'), '{ "type": "commonjs" }\n');
writeFileSync(join(out, 'package.json'), `${JSON.stringify(packageManifest, null, 2)}\n`);
copyFileSync(join(source, 'README.md'), join(out, 'README.md'));
copyFileSync(join(root, 'LICENSE'), join(out, 'LICENSE'));
