import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { after, test, type TestContext } from 'node:test';
import { scratch } from '../cli/support.ts';
import { anAgent } from '../support/fixtures.ts';
import { blocksOf } from '../support/guides.ts';
import { dataOf, startTestServer } from '../support/server.ts';

/** Runs the receivers of docs/webhooks.md, each in its language where this machine has it, against a server. */

const blocks = blocksOf('webhooks.md');
// Receivers compare the time of a signature with their own clock, so the server's is the machine's.
const server = await startTestServer({ testClock: false, settings: { 'webhooks.allow_http_loopback': 'true' } });
after(() => server.stop());

type Language = { file: string; needs: string; version?: string; command: (file: string, port: number) => string[] };
const languages: Readonly<Record<string, Language>> = {
  TypeScript: { file: 'receiver.ts', needs: process.execPath, command: (file) => [process.execPath, file] },
  Python: { file: 'receiver.py', needs: 'python3', command: (file) => ['python3', file] },
  PHP: { file: 'receiver.php', needs: 'php', command: (file, port) => ['php', '-S', `127.0.0.1:${port}`, file] },
  Go: { file: 'receiver.go', needs: 'go', version: 'version', command: (file) => ['go', 'run', file] },
  Java: { file: 'Receiver.java', needs: 'java', command: (file) => ['java', file] },
  'C#': { file: 'receiver.cs', needs: 'mcs', command: (file) => ['mono', file.replace(/cs$/, 'exe')] },
};

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await new Promise((listening) => probe.once('listening', listening));
  const { port } = probe.address() as AddressInfo;
  await new Promise((closed) => probe.close(closed));
  return port;
}

function sign(secret: string, body: string, { id = 'evt_1', seconds = Math.floor(Date.now() / 1000) } = {}) {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64');
  return { 'webhook-id': id, 'webhook-timestamp': String(seconds), 'webhook-signature': `v1,${signature}` };
}

/** Starts a receiver and resolves when it answers. Its whole process group ends with the test: `go run` starts another program. */
async function start(t: TestContext, [command, ...args]: string[], cwd: string, env: NodeJS.ProcessEnv, url: string) {
  const child: ChildProcess = spawn(command!, args, { cwd, env, stdio: 'ignore', detached: true });
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  t.after(async () => {
    process.kill(-child.pid!, 'SIGKILL');
    await ended;
  });
  for (;;) {
    assert.equal(child.exitCode, null, 'the receiver has ended');
    const answer = await fetch(url, { method: 'POST', body: '{}' }).catch(() => null);
    if (answer) return assert.equal(answer.status, 401, 'it takes nothing that is not signed');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

for (const [language, { file, needs, version = '--version', command }] of Object.entries(languages)) {
  const skip = spawnSync(needs, [version]).status === 0 ? false : `${needs} is not installed`;
  test(`the receiver in ${language} takes what parley signed, and nothing else`, { skip }, async (t) => {
    const directory = scratch(t);
    const path = join(directory, file);
    writeFileSync(path, blocks.find(({ heading }) => heading === language)!.code);
    if (language === 'C#') assert.equal(spawnSync('mcs', [path], { encoding: 'utf8' }).stderr, '');
    const port = await freePort();
    const url = `http://127.0.0.1:${port}/`;
    const agent = await anAgent(server, { agentName: language, webhookUrls: [url] });
    const { secret } = dataOf(await server.get<{ secret: string }>(`/agents/${agent.id}/webhook-secret`));
    const env = { PATH: process.env['PATH']!, HOME: directory, WEBHOOK_SECRET: secret, PORT: String(port) };
    await start(t, command(path, port), dirname(path), env, url);

    const send = async (headers: Record<string, string>, body: string): Promise<number> =>
      (await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body })).status;
    const body = JSON.stringify({ event: 'call.completed', data: { call_id: 'c', status: 'completed', name: 'Zoë' } });
    const past = Math.floor(Date.now() / 1000) - 400;
    const other = `whsec_${Buffer.from('another secret, thirty-two bytes').toString('base64')}`;
    const genuine = sign(secret, body);
    assert.equal(await send(genuine, body), 204);
    assert.equal(await send(genuine, body.replace('completed', 'completes')), 401, 'a changed body');
    assert.equal(await send({ ...genuine, 'webhook-id': 'evt_2' }, body), 401, 'another id');
    assert.equal(await send(sign(secret, body, { seconds: past }), body), 401, 'an old message');
    assert.equal(await send({ ...genuine, 'webhook-timestamp': 'now' }, body), 401, 'no time');
    assert.equal(await send(sign(other, body), body), 401, 'another secret');
    const twice = `${sign(other, body)['webhook-signature']} ${genuine['webhook-signature']}`;
    assert.equal(await send({ ...genuine, 'webhook-signature': twice }, body), 204, 'while a secret is rotated');

    const sent = dataOf(
      await server.post<{ event_id: string }>('/webhooks/events', { type: 'call.completed', agent_id: agent.id }),
    );
    const delivery = async () =>
      dataOf(await server.get<Array<{ status: string }>>(`/webhooks/deliveries?event_id=${sent.event_id}`))[0]!;
    while (['pending', 'delivering'].includes((await delivery()).status)) await server.running.runner.settled();
    assert.equal((await delivery()).status, 'delivered');
  });
}

test('every language of the guide is tried', () => {
  const shown = blocks.filter(({ heading }) => Object.hasOwn(languages, heading)).map(({ heading }) => heading);
  assert.deepEqual(shown, Object.keys(languages));
});
