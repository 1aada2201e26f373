import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { test, type TestContext } from 'node:test';
import { promisify } from 'node:util';
import { createClient, watchLive } from '../../clients/typescript/index.ts';
import { xlsxOf } from '../support/documents/office.ts';
import { run as runCommand, scratch, serve } from '../cli/support.ts';
import { nextMigrations } from '../support/next-migrations.ts';
import { openDatabase } from '../../src/db/sqlite/open.ts';

/** Runs the commands of the guides in docs/. The README has a test of its own. */

const docs = resolve(import.meta.dirname, '../../docs');
const guide = (name: string): string => readFileSync(join(docs, name), 'utf8');
const shellBlocks = (name: string): string[] =>
  [...guide(name).matchAll(/^```sh\n(.*?)^```/gms)].map(([, code]) => code!);

/** Runs a script as the guide has it, with `parley` as the command of this checkout. Throws what it printed when a command fails. */
async function runScript(t: TestContext, script: string, env: Record<string, string>): Promise<string> {
  const program = resolve(import.meta.dirname, '../../bin/parley.ts');
  const prelude = [
    'set -euo pipefail',
    `parley() { "${process.execPath}" "${program}" "$@" --data "$DATA"; }`,
    'sudo() { shift 2; "$@"; }',
    'curl() { command curl --fail-with-body --silent --show-error "$@"; echo; }',
  ];
  const options = { cwd: scratch(t), env: { PATH: process.env['PATH']!, ...env }, timeout: 240_000 };
  return (await promisify(execFile)('bash', ['-c', [...prelude, script].join('\n')], options)).stdout;
}

test('the guide to people works as written', async (t) => {
  const data = join(scratch(t), 'data');
  const { ready } = await serve(t, ['--data', data]);
  const [link, setUp] = shellBlocks('people.md');
  const commands = [...guide('people.md').matchAll(/^\| `(parley users [^`]+)` \|/gm)].map(([, command]) => command!);
  assert.ok(commands.length >= 7);
  const ofGrace = commands
    .map((command) => command.replace('EMAIL', 'grace@example.com').replace('ROLE', 'member'))
    .map((command) =>
      command.includes('--password-stdin') ? `echo "correct horse battery staple" | ${command}` : command,
    );
  // Removed last, so that the other commands find her.
  const ordered = ofGrace.toSorted((a, b) => Number(a.includes('remove')) - Number(b.includes('remove')));
  const script = `
LINK=$(${link!.trim()})
TOKEN=\${LINK##*token=}
${setUp!.replace(`'{"token": "…"`, `'{"token": "'"$TOKEN"'"`)}
${ordered.join('\n')}
parley users list`;
  const printed = await runScript(t, script, { DATA: data, URL: ready.url });
  assert.match(printed, /"email":"ada@example\.com","role":"admin"/);
  assert.match(printed, /grace@example\.com/);
  assert.match(printed.trim().split('\n').at(-1)!, /admin +active .* ada@example\.com$/);
});

test('the guide to imports works as written', async (t) => {
  const { ready } = await serve(t, ['--ephemeral']);
  const [script, mapped] = shellBlocks('importing.md');
  const directory = scratch(t);
  const header = ['Vorname', 'Handy', 'Shoe size'];
  const rows = [header, ['Ada', '030 901820', '38']];
  writeFileSync(join(directory, 'leads.xlsx'), xlsxOf([{ name: 'Leads', rows }]));
  writeFileSync(join(directory, 'leads.csv'), rows.map((row) => row.join(',')).join('\n'));
  const campaign = `curl -X POST "$URL/api/v1/campaigns" -H "X-Api-Key: $KEY" -H 'Content-Type: application/json' --data '{"name": "Spring"}' > campaign.json
ID=$(grep -o '"id":"[^"]*' campaign.json | head -1 | cut -d'"' -f4)`;
  const env = { DATA: directory, URL: ready.url, KEY: ready.api_key! };
  const printed = await runScript(t, `cd "${directory}"\n${campaign}\n${script}\n${mapped}`, env);
  const answers = printed
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => (JSON.parse(line) as { data: { columns: unknown; added?: number } }).data);
  const [, columns] = /^```json\n(.*?)^```/ms.exec(guide('importing.md'))!;
  const named = columns!.replace('metadata.Shoe size', 'metadata.size');
  assert.deepEqual(
    answers.map((data) => data.columns),
    [columns!, columns!, named].map((json) => JSON.parse(json) as unknown),
  );
  assert.equal(answers[1]!.added, 1);
});

test('the guide to knowledge bases works as written', async (t) => {
  const page = '<title>Shop</title><p>Open from nine to five.</p>';
  const site = createServer((request, response) => {
    const isPage = request.url === '/';
    response.writeHead(isPage ? 200 : 404, { 'content-type': 'text/html' }).end(isPage ? page : '');
  });
  await new Promise<void>((listening) => site.listen(0, '127.0.0.1', listening));
  t.after(() => site.close());
  const siteUrl = `http://127.0.0.1:${(site.address() as AddressInfo).port}/`;
  const { ready } = await serve(t, ['--ephemeral', '--set', 'outbound.allow_networks=["127.0.0.0/8"]']);
  const client = createClient({ baseUrl: ready.url, apiKey: ready.api_key! });
  const [create, add, query, refresh] = shellBlocks('knowledge.md');
  const directory = scratch(t);
  writeFileSync(join(directory, 'prices.csv'), 'article,price\nboots,90\n');
  const env = { DATA: directory, URL: ready.url, KEY: ready.api_key! };
  const run = async (script: string, more: Record<string, string> = {}) => {
    const printed = await runScript(t, `cd "${directory}"\n${script}`, { ...env, ...more });
    return printed
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line) as { data: never });
  };
  const [base] = (await run(create!)) as unknown as Array<{ data: { knowledge_base_id: string } }>;
  const BASE = base!.data.knowledge_base_id;
  await run(add!.replace('https://www.example.com/', siteUrl), { BASE });
  type Sources = { status: string; sources: Array<{ source_id: string; pages_found: number | null }> };
  const complete = async (): Promise<Sources> => {
    for await (const { event, data } of watchLive(client, { topic: [`knowledge:${BASE}`] })) {
      if (event === 'knowledge' && (data as Sources).status === 'complete') return data as Sources;
    }
    throw new Error('the stream ended');
  };
  const { sources } = await complete();
  assert.equal(sources.length, 3);
  const [answer] = (await run(query!, { BASE })) as unknown as Array<{ data: Array<Record<string, unknown>> }>;
  const [, passage] = /^```json\n(.*?)^```/ms.exec(guide('knowledge.md'))!;
  const shown = JSON.parse(passage!) as Record<string, unknown>;
  assert.deepEqual(Object.fromEntries(Object.keys(shown).map((key) => [key, answer!.data[0]![key]])), shown);
  const SOURCE = sources.find(({ pages_found: pages }) => pages !== null)!.source_id;
  const [refreshed] = (await run(refresh!, { BASE, SOURCE })) as unknown as Array<{ data: { source_id: string } }>;
  assert.equal(refreshed!.data.source_id, SOURCE);
  await complete();
});

test('what the guide to operations says of monitoring works as written', async (t) => {
  const { ready } = await serve(t, ['--ephemeral']);
  const script = shellBlocks('operations.md').find((block) => block.includes('/api/v1/system'))!;
  const printed = await runScript(t, script, { DATA: scratch(t), URL: ready.url, KEY: ready.api_key! });
  const [system, notices, read] = printed
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => (JSON.parse(line) as { data: unknown }).data);
  const { checks, queue } = system as { checks: Array<{ id: string }>; queue: object };
  assert.ok(checks.some(({ id }) => id === 'webhooks'));
  assert.deepEqual(Object.keys(queue), ['due', 'oldest_sec']);
  assert.deepEqual([notices, read], [[], { read: 0 }]);
});

test('after the loss of secrets.json, the steps in the guide to operations start an empty installation beside the old files', async (t) => {
  const data = join(scratch(t), 'data');
  const first = await serve(t, ['--data', data]);
  await first.stop();
  rmSync(join(data, 'secrets.json'));
  const [move, start] = shellBlocks('operations.md')
    .find((block) => block.includes('mkdir old'))!
    .trim()
    .split('\n');
  assert.equal(start, 'parley serve');
  // One of the files is missing, so that mv fails after it has moved the others.
  await runScript(t, `cd "${data}"; set +e; ${move}\ntrue`, { DATA: data });
  const second = await serve(t, ['--data', data]);
  assert.notEqual(second.ready.org_id, first.ready.org_id);
  assert.ok(globSync('old/parley.db', { cwd: data }).length === 1);
  await second.stop();
});

test('the backup of the guide to operations is written and restored', async (t) => {
  const data = join(scratch(t), 'data');
  const server = await serve(t, ['--data', data]);
  const backup = shellBlocks('operations.md').find((block) => block.includes('parley backup'));
  const copies = scratch(t);
  const here = (command: string): string =>
    command.replaceAll('/var/backups/parley', copies).replaceAll(' --data /var/lib/parley', '');
  await runScript(t, here(backup!), { DATA: data });
  const [file] = globSync('*.db', { cwd: copies });
  assert.match(file!, /^\d{4}-\d\d-\d\d\.db$/);
  await server.stop();
  const [, restore] = /`(sudo -u parley parley restore FILE[^`]*)`/.exec(guide('operations.md'))!;
  const script = `${here(restore!).replace('FILE', join(copies, file!))}\nparley orgs create Restored`;
  assert.match(await runScript(t, script, { DATA: data }), /^[-0-9a-f]{36}\n$/);
});

test('the upgrade of the guide to operations works as written, and so does the way back', async (t) => {
  const data = join(scratch(t), 'data');
  const first = await serve(t, ['--data', data]);
  const key = first.ready.api_key!;
  const contacts = async (url: string, method = 'GET'): Promise<number> => {
    const headers = { 'x-api-key': key, 'content-type': 'application/json' };
    const body = method === 'POST' ? { body: '{"phone": "+4930901800"}' } : {};
    await fetch(`${url}/api/v1/contacts`, { method, headers, ...body });
    const answer = (await (await fetch(`${url}/api/v1/contacts`, { headers })).json()) as { meta: { total: number } };
    return answer.meta.total;
  };
  assert.equal(await contacts(first.ready.url, 'POST'), 1);
  const section = guide('operations.md')
    .split(/^## /m)
    .find((text) => text.startsWith('Upgrade\n'))!;
  const [before, back] = [...section.matchAll(/^```sh\n(.*?)^```/gms)].map(([, code]) =>
    code!.replaceAll(' --data ./parley-data', ''),
  );
  const directory = scratch(t);
  const printed = await runScript(t, `cd "${directory}"\n${before!}`, { DATA: data });
  assert.match(printed, /This backup can be restored\./);
  assert.match(printed, /1 contact,/);
  await contacts(first.ready.url, 'POST');
  await first.stop();
  // The next version has migrated the database.
  await openDatabase({ file: join(data, 'parley.db'), nowMs: 0, migrations: nextMigrations }).then((db) => db.close());
  const refused = await runCommand(['serve', '--data', data, '--port', '0']);
  assert.equal(refused.code, 1);
  assert.match(refused.err, /newer/);
  await runScript(t, `cd "${directory}"\n${back!}`, { DATA: data });
  const second = await serve(t, ['--data', data]);
  assert.equal(await contacts(second.ready.url), 1, 'the contact of before the backup');
  await second.stop();
});
