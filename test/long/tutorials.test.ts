import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { scratch, serve } from '../cli/support.ts';
import { blocksOf, runGuide } from '../support/guides.ts';

/** Runs the commands of tutorials and guides as they are written, and compares what they show of the answers. */

/** Leaves out the start of the server, which the test has started, and sets its address and key. */
const onServer =
  ({ url, api_key: key }: { url: string; api_key: string | null }) =>
  (code: string): string | undefined =>
    code.startsWith('parley serve ') ? undefined : code.replace('http://127.0.0.1:8080', url).replace('pk_…', key!);

const withoutWindow = ['--ephemeral', '--test-clock', '2026-03-02T09:00:00Z'];
const advance = (ms: number): string => `api POST /api/v1/test-clock/advance '{"ms": ${ms}}' > /dev/null`;

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await new Promise((listening) => probe.once('listening', listening));
  const { port } = probe.address() as AddressInfo;
  await new Promise((closed) => probe.close(closed));
  return port;
}

/** Waits in the shell for what comes in real time. */
const until = (command: string): string => `until ${command}; do :; done`;

/** The receiver in Python where there is one, else the one in TypeScript, listening on a port in the background. */
async function receiver(t: TestContext): Promise<{ port: number; start: string }> {
  const port = await freePort();
  const file = join(scratch(t), 'receiver.ts');
  writeFileSync(file, blocksOf('webhooks.md').find(({ heading }) => heading === 'TypeScript')!.code);
  return {
    port,
    start: `PORT=${port} "${process.execPath}" ${file} &\n${until(`(: </dev/tcp/127.0.0.1/${port}) 2>/dev/null`)}`,
  };
}

test('the tutorial of the first campaign works as written', async (t) => {
  const { ready } = await serve(t, withoutWindow);
  const own = onServer(ready);
  const printed = await runGuide(t, 'tutorials/first-campaign.md', {
    env: {},
    edit: (code) => own(code)?.replace(/^api GET "\/api\/v1\/calls/m, `${advance(600_000)}\n$&`),
  });
  const [header, ...rows] = printed.at(-2)!.trim().split('\n');
  assert.match(header!, /phone/);
  assert.equal(rows.length, 4);
});

test('the tutorial of the first webhook works as written', async (t) => {
  const { ready } = await serve(t, ['--ephemeral', '--set', 'webhooks.allow_http_loopback=true']);
  const { port, start } = await receiver(t);
  const own = onServer(ready);
  const delivered = until(`api GET /api/v1/webhooks/deliveries | grep -q '"delivered"'`);
  const printed = await runGuide(t, 'tutorials/first-webhook.md', {
    env: {},
    edit: (code) =>
      own(code)
        ?.replaceAll('127.0.0.1:8000', `127.0.0.1:${port}`)
        .replace(/^api POST \/api\/v1\/webhooks\/events/m, `${start}\n$&`)
        .replace(/^api GET "\/api\/v1\/webhooks\/deliveries/m, `${delivered}\n$&`),
    shown: (json) => json.replace('127.0.0.1:8000', `127.0.0.1:${port}`),
  });
  assert.match(printed.join(''), /call\.completed [-\da-f]{36} completed/, 'the receiver printed the event');
  assert.match(printed.at(-2)!, /^401$/m);
});

test('the guide to webhooks works as written', async (t) => {
  const { ready } = await serve(t, ['--ephemeral', '--set', 'webhooks.allow_http_loopback=true']);
  const { port, start } = await receiver(t);
  const secret = `export WEBHOOK_SECRET=$(api GET /api/v1/agents/$AGENT/webhook-secret | grep -o 'whsec_[^"]*')`;
  const delivered = until(`api GET /api/v1/webhooks/deliveries | grep -q '"delivered"'`);
  await runGuide(t, 'webhooks.md', {
    env: { URL: ready.url, KEY: ready.api_key! },
    edit: (code) =>
      code
        .replaceAll('127.0.0.1:8000', `127.0.0.1:${port}`)
        .replace(/^api POST \/api\/v1\/webhooks\/events/m, `${secret}\n${start}\n$&`)
        .replace(/^DELIVERY=/m, `${delivered}\n$&`),
  });
});
