import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { scratch, serve } from './support.ts';

const root = resolve(import.meta.dirname, '../..');
const readme = readFileSync(join(root, 'README.md'), 'utf8');

/** The shell code of a section, block by block. */
function shellBlocks(heading: string): string[] {
  const section = readme.split(/^## /m).find((text) => text.startsWith(`${heading}\n`)) ?? '';
  return [...section.matchAll(/^```sh\n(.*?)^```/gms)].map(([, code]) => code!);
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((listening) => server.once('listening', listening));
  const { port } = server.address() as AddressInfo;
  await new Promise((closed) => server.close(closed));
  return port;
}

test('the README is short, and each of its two commands is a line of its own', () => {
  assert.ok(readme.split('\n').length <= 200);
  for (const command of ['npm ci && npm run demo', 'npm ci && npm test']) {
    assert.ok(readme.includes(`\n${command}\n`), command);
  }
});

test('every file that the README links to exists', () => {
  const links = [...readme.matchAll(/\]\((?!https?:)([^)#]+)(?:#[^)]*)?\)/g)].map(([, path]) => path!);
  assert.ok(links.length >= 8);
  for (const path of links) assert.doesNotThrow(() => readFileSync(join(root, path)), path);
});

test("the README's first campaign and first webhook work as written", async (t) => {
  const settings = ['webhooks.allow_http_loopback=true', 'carrier.simulated.speed=100'];
  const { ready } = await serve(t, ['--ephemeral', ...settings.flatMap((setting) => ['--set', setting])]);
  const [, prepare, activate] = shellBlocks('A first campaign');
  const [, webhook] = shellBlocks('A first webhook');
  const port = await freePort();
  const script = [prepare, webhook, activate]
    .join('\n')
    .replace('http://127.0.0.1:8080', ready.url)
    .replace('pk_…', ready.api_key!)
    .replaceAll('9099', String(port))
    .replace('node receiver.mjs', `"${process.execPath}" receiver.mjs > received`)
    // The call ends before it is read, and nothing is left running.
    .replace(
      'api GET "/api/v1/calls',
      'until api GET "/api/v1/calls?status=completed" | grep -q transcripts; do :; done\n$&',
    );
  const delivered = `until api GET '/api/v1/webhooks/deliveries?status=delivered' | grep -q '"total":2'; do :; done`;
  const directory = scratch(t);
  const { stdout } = await promisify(execFile)('bash', ['-c', `trap 'kill $(jobs -p)' EXIT\n${script}\n${delivered}`], {
    cwd: directory,
    timeout: 60_000,
  });
  const answers = stdout.split('\n').filter((line) => line.startsWith('{'));
  assert.deepEqual(
    answers.filter((line) => line.includes('"success":false')),
    [],
  );
  assert.match(stdout, /"opens_at"/);
  assert.match(stdout, /"state":"ended"/);
  const received = readFileSync(join(directory, 'received'), 'utf8').split('\n');
  const verified = received.filter((line) => line.startsWith('verified '));
  assert.equal(verified.length, 2);
  assert.ok(received.includes('refused '), 'the request that waits for the receiver is not signed');
  for (const line of verified) assert.match(line, /^verified \{"event":"call\.completed"/);
  assert.match(verified[0]!, /"test":true/, 'the sample event');
});
