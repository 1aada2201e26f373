import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { after, test } from 'node:test';
import { promisify } from 'node:util';
import { signatureHeaders } from '../../src/base/standard-webhooks.ts';
import { startTestServer } from '../support/server.ts';

const run = promisify(execFile);
const server = await startTestServer();
const project = mkdtempSync(join(tmpdir(), 'parley-client-'));
after(async () => {
  await server.stop();
  rmSync(project, { recursive: true, force: true });
});

writeFileSync(join(project, 'package.json'), '{"type": "module"}');
mkdirSync(join(project, 'node_modules'));
await run(process.execPath, ['.build/package-client.ts', '--out', join(project, 'node_modules/parley-client')]);

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

const compile = (options: Record<string, unknown>) => {
  writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, files: ['app.ts'] }));
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
