import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { test, type TestContext } from 'node:test';
import { scratch, serve } from '../cli/support.ts';
import { aNumber, anAgent } from '../support/fixtures.ts';
import { blocksOf, runGuide } from '../support/guides.ts';
import { dataOf, startTestServer } from '../support/server.ts';

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
    start: `PORT=${port} node ${file} &\n${until(`(: </dev/tcp/127.0.0.1/${port}) 2>/dev/null`)}`,
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
        .replace(/^until curl /m, `${start}\nuntil command curl `) // the curl of these tests fails on a 401
        .replace(/^api GET "\/api\/v1\/webhooks\/deliveries/m, `${delivered}\n$&`),
    shown: (json) => json.replace('127.0.0.1:8000', `127.0.0.1:${port}`),
  });
  assert.match(printed.join(''), /call\.completed [-\da-f]{36} completed/, 'the receiver printed the event');
  assert.match(printed.at(-2)!, /^401$/m);
});

test('the tutorial of answers from documents works as written', async (t) => {
  const { ready } = await serve(t, ['--ephemeral']);
  const complete = until(`api GET /api/v1/rag/knowledge-base/$BASE | grep -q '"status":"complete"'`);
  const printed = await runGuide(t, 'tutorials/first-answers.md', {
    env: { URL: ready.url, KEY: ready.api_key! },
    edit: (code) => code.replace(/^api GET \/api\/v1\/rag\/knowledge-base\/\$BASE$/m, `${complete}\n$&`),
  });
  const scores = printed.flatMap((text) => text.match(/"score":([\d.]+)/)?.[1] ?? []).map(Number);
  assert.equal(scores.length, 2, 'nothing is found for the question that the documents do not answer');
  assert.ok(scores[0]! >= 0.5 && scores[1]! >= 0.5, String(scores));
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

test('the guide to a voice runtime works as written', async (t) => {
  const port = await freePort();
  const secret = `whsec_${Buffer.from('the secret of the voice runtime!').toString('base64')}`;
  const settings = ['driver=http', `http.url=http://127.0.0.1:${port}/calls`, `http.secret=${secret}`];
  const { ready } = await serve(t, ['--ephemeral', ...settings.flatMap((one) => ['--set', `carrier.${one}`])]);
  const root = resolve(import.meta.dirname, '../..');
  const runtime = blocksOf('http-carrier.md')[0]!
    .code.split('\n')
    .find((line) => line.startsWith('PORT='))!;
  const start = runtime
    .replace('PORT=7000 node', `CARRIER_SECRET=${secret} PACE_MS=20 PORT=${port} "${process.execPath}"`)
    .replace('examples/', `${root}/examples/`);
  const listens = until(`(: </dev/tcp/127.0.0.1/${port}) 2>/dev/null`);
  await runGuide(t, 'http-carrier.md', {
    env: { URL: ready.url, KEY: ready.api_key! },
    edit: (code, index) =>
      index === 0
        ? `${start}\n${listens}`
        : code.replace(/^api GET .*CALL$/m, `${until(`api GET /api/v1/calls/$CALL | grep -q '"ended"'`)}\n$&`),
  });
});

test('the runtime of the examples refuses what is not signed, answers from knowledge, and ends calls that parley hangs up', async (t) => {
  const port = await freePort();
  const secret = 'a secret in plain text';
  const server = await startTestServer({
    testClock: false,
    settings: {
      'carrier.driver': 'http',
      'carrier.http.url': `http://127.0.0.1:${port}/calls`,
      'carrier.http.secret': secret,
    },
  });
  t.after(() => server.stop());
  const file = resolve(import.meta.dirname, '../../examples/voice-runtime/runtime.mjs');
  const child = spawn(process.execPath, [file], {
    env: { CARRIER_SECRET: secret, PACE_MS: '20', PORT: String(port) },
    stdio: 'ignore',
  });
  t.after(() => child.kill('SIGKILL'));
  const unsigned = async () => (await fetch(`http://127.0.0.1:${port}/calls`, { method: 'POST', body: '{}' })).status;
  for (let status = 0; status !== 401;) status = await unsigned().catch(() => 0);
  const base = dataOf(await server.post<{ knowledge_base_id: string }>('/rag/knowledgebases', { name: 'Shop' }));
  const text = 'We sell maps of all countries and the sea.';
  await server.post('/rag/document', { kb_id: base.knowledge_base_id, doc_id: 'maps', text });
  await server.running.runner.settled();
  const agent = await anAgent(server, { knowledgeBaseIds: [base.knowledge_base_id] });
  const number = await aNumber(server);
  const place = async (metadata: object) =>
    dataOf(
      await server.post<{ call_session_id: string }>('/calls', {
        agent_id: agent.id,
        phone_number_id: number.id,
        to: '+4930901800',
        metadata,
      }),
    ).call_session_id;
  type Call = { state: string; status: string; transcripts: Array<{ message: { content: string } }> };
  const ended = async (id: string): Promise<Call> => {
    for (;;) {
      const call = dataOf(await server.get<Call>(`/calls/${id}`));
      if (call.state === 'ended') return call;
      await server.running.runner.settled();
    }
  };
  const asked = await ended(await place({ question: 'Do you sell maps?' }));
  assert.equal(asked.transcripts.at(-1)!.message.content, text);
  const id = await place({});
  await server.post(`/calls/${id}/hangup`, {});
  assert.match((await ended(id)).status, /no_answer|completed/);
});
