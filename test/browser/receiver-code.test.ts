import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, test } from 'node:test';
import { anAgent } from '../support/fixtures.ts';
import { dataOf } from '../support/server.ts';
import { startDashboard } from './dashboard.ts';

// Receivers compare the time of a signature with their own clock, so the server's is the machine's.
const { server, visit } = await startDashboard({ testClock: false });

const folder = mkdtempSync(join(tmpdir(), 'parley-receiver-'));
const started: ChildProcess[] = [];
after(() => {
  for (const child of started) child.kill();
  rmSync(folder, { recursive: true, force: true });
});

/**
 * A port that is free, and that no other test is given before the receiver takes it: those that listen on port 0 get one from 32768 on
 * (Linux) or from 49152 on.
 */
async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(20_000, 32_000);
    const probe = createServer().listen(port, '0.0.0.0');
    const isFree = await new Promise<boolean>((resolve) => {
      probe.once('listening', () => resolve(true));
      probe.once('error', () => resolve(false));
    });
    if (!isFree) continue;
    await new Promise((resolve) => probe.close(resolve));
    return port;
  }
}

/** Runs a receiver and resolves once it accepts connections. */
async function run(command: string, file: string, env: Readonly<Record<string, string>>): Promise<ChildProcess> {
  const child = spawn(command, [file], { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'inherit'] });
  started.push(child);
  for (;;) {
    assert.equal(child.exitCode, null, 'the receiver has ended');
    const answer = await fetch(`http://127.0.0.1:${env['PORT']}`, { method: 'POST', body: '{}' }).catch(() => null);
    if (answer) {
      assert.equal(answer.status, 401, 'it takes nothing that is not signed');
      return child;
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

for (const { language, command, file } of [
  { language: 'Node.js', command: process.execPath, file: 'receiver.mjs' },
  { language: 'Python', command: 'python3', file: 'receiver.py' },
]) {
  const skip = spawnSync(command, ['--version']).status === 0 ? false : `${command} is not installed`;
  test(`the receiver in ${language} that an agent's page offers takes its events`, { skip }, async () => {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}/hook`;
    const agent = await anAgent(server, { agentName: language, webhookUrls: [url] });
    const { page, expectQuiet } = await visit({ role: 'member', path: `/agents/${agent.id}?tab=webhooks` });
    await page.getByText('Code of a receiver', { exact: true }).click();
    await page.getByRole('tab', { name: language, exact: true }).click();
    const code = await page.getByRole('group', { name: `Receiver in ${language}`, exact: true }).textContent();
    writeFileSync(join(folder, file), code!);
    await page.getByRole('button', { name: 'Reveal secret', exact: true }).click();
    const secret = await page.getByText(/^whsec_/).textContent();
    const receiver = await run(command, join(folder, file), { WEBHOOK_SECRET: secret!, PORT: String(port) });
    // A whole line: Python may write each word of it on its own.
    const received = new Promise<string>((resolve) => {
      createInterface(receiver.stdout!).once('line', resolve);
    });
    await page.getByRole('button', { name: 'Send test event', exact: true }).click();
    assert.match(await received, / call\.completed [\da-f-]{36} completed/);
    await page.getByRole('link', { name: 'See its deliveries', exact: true }).click();
    await page.getByRole('cell', { name: 'Delivered', exact: true }).waitFor();
    const sent = dataOf(
      await server.get<Array<{ id: string; status: string }>>(`/webhooks/deliveries?agent_id=${agent.id}`),
    );
    assert.deepEqual(
      sent.map(({ status }) => status),
      ['delivered'],
    );
    expectQuiet();
  });
}
