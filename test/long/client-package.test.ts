import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { after, test } from 'node:test';
import { promisify } from 'node:util';
import { signatureHeaders } from '../../src/base/standard-webhooks.ts';
import { clientExampleOf } from '../../src/http/docs/client-example.ts';
import type { RecordedExamples } from '../../src/http/docs/examples/recorded.ts';
import { examplesPath } from '../../src/http/docs/guides/source.ts';
import type { Document } from '../../src/http/docs/openapi-types.ts';
import { guidesOfCheckout } from '../../src/main/guides.ts';
import { startTestServer } from '../support/server.ts';

const run = promisify(execFile);
const server = await startTestServer();
const project = mkdtempSync(join(tmpdir(), 'parley-client-'));
after(async () => {
  await server.stop();
  rmSync(project, { recursive: true, force: true });
});

const built = join(project, 'built');
writeFileSync(join(project, 'package.json'), '{"type": "module"}');
await run(process.execPath, ['.build/package-client.ts', '--out', built]);
const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
const packed = JSON.parse(
  (await run(npm, ['pack', '--json', '--pack-destination', project], { cwd: built })).stdout,
) as Array<{
  filename: string;
  files: Array<{ path: string }>;
}>;
await run(npm, ['install', '--offline', '--no-audit', '--no-fund', join(project, packed[0]!.filename)], {
  cwd: project,
});

/** A Node other than the one that runs parley, if the machine has one, because people use the client with their own Node. */
async function otherNode(): Promise<string> {
  for (const directory of process.env['PATH']!.split(delimiter).filter((one) => !one.includes('node_modules'))) {
    const node = join(directory, 'node');
    if (!existsSync(node)) continue;
    const { stdout } = await run(node, ['--version']);
    if (Number(/^v(\d+)/.exec(stdout)?.[1]) >= 20) return node;
  }
  return process.execPath;
}

const compile = (options: Record<string, unknown>, file = 'app.ts') => {
  writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, files: [file] }));
  return run(process.execPath, [resolve('node_modules/typescript/bin/tsc'), '-p', project]);
};

const app = `
import { type Contact, createClient, createContact, iterate, listContacts, ParleyError } from 'parley-client';
import { verifyWebhook, WebhookVerificationError } from 'parley-client/webhooks';

const parley = createClient({ baseUrl: process.argv[2], apiKey: process.argv[3] });
for (const first_name of ['Ada', 'Grace', 'Joan']) await createContact(parley, { body: { first_name } });
const names = [];
for await (const contact of iterate(parley, listContacts, { query: { limit: 2 } })) names.push(contact.first_name);
console.log(names.join(' '));
const { id, event } = await verifyWebhook({ body: process.argv[5], headers: JSON.parse(process.argv[4]), secret: 'whsec_c2VjcmV0' });
console.log(id, event.event);
const forged = await verifyWebhook({ body: '{}', headers: {}, secret: 'x' }).catch((error) => error);
console.log(forged instanceof WebhookVerificationError);
const refused = await createContact(parley, { body: { phone: '1' } }).catch((error) => error);
console.log(refused instanceof ParleyError, refused.status);
`;
const typeScript = `declare const process: { argv: string[] };
${app
  .replace('const names = []', 'const names: Array<Contact["first_name"]> = []')
  .replaceAll('process.argv[2]', 'process.argv[2]!')
  .replaceAll(/process\.argv\[([345])\]/g, 'process.argv[$1]!')}`;

const body = JSON.stringify({ event: 'call.completed' });
const headers = signatureHeaders(['whsec_c2VjcmV0'], {
  id: 'evt_1',
  timestampSec: Math.floor(Date.now() / 1000),
  body,
});
async function outputOf(file: string): Promise<string[]> {
  const client = await server.newOrganization();
  const args = [join(project, file), server.url, client.apiKey, JSON.stringify(headers), body];
  return (await run(await otherNode(), args)).stdout.trim().split('\n');
}
const expected = ['Joan Grace Ada', 'evt_1 call.completed', 'true', 'true 400'];

test('the packaged client works without TypeScript', async () => {
  writeFileSync(join(project, 'app.js'), app.replace('type Contact, ', ''));
  assert.deepEqual(await outputOf('app.js'), expected);
});

test('the packaged client compiles in an empty project, with nothing skipped, and works', async () => {
  writeFileSync(join(project, 'app.ts'), typeScript);
  const options = { strict: true, target: 'es2022', skipLibCheck: false, types: [], outDir: 'out' };
  await compile({ ...options, module: 'esnext', moduleResolution: 'bundler' });
  await compile({ ...options, module: 'nodenext', exactOptionalPropertyTypes: true });
  assert.deepEqual(await outputOf('out/app.js'), expected);
});

test('the package has the modules, their types, a README and the licence, and nothing else', () => {
  const paths = packed[0]!.files.map(({ path }) => path);
  for (const path of [
    'package.json',
    'README.md',
    'LICENSE',
    'index.js',
    'index.d.ts',
    'cjs/index.js',
    'cjs/webhooks.d.ts',
  ])
    assert.ok(paths.includes(path), path);
  assert.deepEqual(
    paths.filter((path) => !/^(cjs\/)?([\w.-]+\.(d\.ts|js)|package\.json)$|^(README\.md|LICENSE)$/.test(path)),
    [],
  );
});

test('the packaged client works with require, also compiled for it', async () => {
  const asRequired = app
    .replace('import { type Contact, ', 'const { ')
    .replace('import { verify', 'const { verify')
    .replaceAll(/\} from ('[\w/-]+')/g, '} = require($1)');
  writeFileSync(join(project, 'app.cjs'), `void (async () => {${asRequired}})();`);
  assert.deepEqual(await outputOf('app.cjs'), expected);
  const { imports, rest } = /^(?<imports>[\s\S]*?)\n\n(?<rest>[\s\S]*)$/.exec(
    typeScript.trim().replace(/^declare.*\n+/, ''),
  )!.groups!;
  const compiled = `declare const process: { argv: string[] };\n${imports}\nvoid (async () => {${rest}})();\n`;
  writeFileSync(join(project, 'app.cts'), compiled);
  const options = { strict: true, target: 'es2022', skipLibCheck: false, types: [], outDir: 'out' };
  await compile({ ...options, module: 'node16' }, 'app.cts');
  assert.deepEqual(await outputOf('out/app.cjs'), expected);
});

test('the examples of the README compile under exactOptionalPropertyTypes', async () => {
  const readme = readFileSync('clients/typescript/README.md', 'utf8');
  const [first, ...others] = [...readme.matchAll(/^( *)```ts\n([\s\S]*?)```/gm)].map(([, , code]) => code!);
  const names = (code: string) => [...code.matchAll(/^ *import (\{[^}]*\} from .*)$/gm)].map(([line]) => line.trim());
  const bodies = others.map((code) => `{\n${code.replaceAll(/^ *import .*$/gm, '')}}\n`);
  const declared = `
    declare const process: { env: Record<string, string | undefined> };
    declare const [id, email, password]: string[];
    declare const request: Request;
    import { createSession, getSession, iterate, watchLive } from 'parley-client';
    ${others.flatMap(names).join('\n')}`;
  writeFileSync(join(project, 'app.ts'), `${first}${declared}\n${bodies.join('')}`);
  await compile({
    strict: true,
    exactOptionalPropertyTypes: true,
    target: 'es2022',
    types: [],
    outDir: 'out',
    module: 'nodenext',
  });
});

test('a missing or empty path parameter is a TypeError, and nothing is sent', async () => {
  const { createClient, deleteContact, getContact } = await import('../../clients/typescript/index.ts');
  let sent = 0;
  const fetch = () => Promise.reject(new Error(`sent ${(sent += 1)}`));
  const client = createClient({ baseUrl: server.url, apiKey: 'pk_x', fetch });
  for (const params of [{}, { id: '' }, { id: undefined }, undefined]) {
    const request = { params } as unknown as { params: { id: string } };
    await assert.rejects(
      getContact(client, request),
      (error) => error instanceof TypeError && /"id"/.test(error.message),
    );
    await assert.rejects(deleteContact(client, request), TypeError);
  }
  assert.equal(sent, 0);
});

test('the examples of the reference compile with the packaged client', async () => {
  const { paths } = server.document as unknown as Document;
  const recorded = JSON.parse(guidesOfCheckout()[examplesPath]!) as RecordedExamples;
  const examples = Object.values(paths).flatMap((item) =>
    Object.entries(item).flatMap(([method, operation]) => {
      const kept = recorded[operation.operationId];
      const example = clientExampleOf(server.document as unknown as Document, method.toUpperCase(), operation, kept);
      return example === undefined ? [] : [{ name: operation.operationId, example }];
    }),
  );
  assert.ok(examples.length > 100, `only ${examples.length} operations have an example`);
  const code = `import * as client from 'parley-client';
const parley = client.createClient({ baseUrl: 'http://127.0.0.1:8080' });
${examples.map(({ example, name }) => `{ ${example.replace(`await ${name}(`, `await client.${name}(`)} }`).join('\n')}`;
  writeFileSync(join(project, 'app.ts'), code);
  const lib = ['es2022', 'dom', 'dom.iterable', 'dom.asynciterable'];
  const compiled = compile({
    strict: true,
    exactOptionalPropertyTypes: true,
    target: 'es2022',
    lib,
    types: [],
    outDir: 'out',
    module: 'nodenext',
  });
  await compiled.catch(({ stdout }: { stdout: string }) => assert.fail(stdout));
});
