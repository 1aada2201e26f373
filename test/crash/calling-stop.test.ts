import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite, test, type TestContext } from 'node:test';
import { createClient } from './client.ts';
import { randomOf } from './random.ts';
import { readBody } from './receiver.ts';
import { runtimeSecret } from './runtime.ts';
import { createKillableServer } from './server.ts';
import { aMoment, aWhile } from './waiting.ts';

const seed = Number(process.env['PARLEY_CRASH_SEED'] ?? Math.floor(Math.random() * 1e9));
/** How often each kind of crash is tried. */
const tries = Number(process.env['PARLEY_STOP_TRIES'] ?? 1);

/** A voice runtime that takes every call and counts the requests to dial one. */
async function countingRuntime(t: TestContext) {
  let dials = 0;
  const known = new Set<string>();
  const server = createServer(async (request, response) => {
    const body = await readBody(request);
    if (request.method === 'GET') {
      response.writeHead(known.has(request.url!.split('/').at(-1)!) ? 200 : 404).end();
      return;
    }
    const { type, call_session_id: id } = JSON.parse(body) as { type: string; call_session_id: string };
    if (type === 'call.dial') {
      dials += 1;
      known.add(id);
    }
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"accepted":true}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, dials: () => dials };
}

/** Campaigns call at full pace; the server dies around the stop; once the stop is answered, it dies again. */
async function stopAmongKills(t: TestContext, crashAt: string | undefined, killAfterMs: number): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'parley-crash-stop-'));
  const runtime = await countingRuntime(t);
  const server = createKillableServer(directory, {
    'carrier.driver': 'http',
    'carrier.http.url': runtime.url,
    'carrier.http.secret': runtimeSecret,
  });
  t.after(async () => {
    await server.kill();
    rmSync(directory, { recursive: true, force: true });
  });
  await server.start();
  const client = createClient(server);
  const [model] = await client.ask<Array<{ llmModel: string; voices: Array<{ id: string }> }>>(
    'GET',
    '/available-llm-models/with-voices',
  );
  const voice = { model: model!.llmModel, voiceId: model!.voices[0]!.id };
  const agent = await client.ask<{ id: string }>('POST', '/agents/', { agentName: 'Robin', ...voice });
  const phone = { phone: '+4930901821', termination_uri: 'sip.example.com' };
  const number = await client.ask<{ id: string }>('POST', '/phone-numbers/import', phone);
  await client.ask('PATCH', `/phone-numbers/${number.id}`, { max_concurrent: 1000, max_cps: 100 });
  const settings = { agentId: agent.id, phoneNumberId: number.id, maxCps: 100, schedule: { maxConcurrent: 1000 } };
  const { id } = await client.ask<{ id: string }>('POST', '/campaigns/', { name: 'x', ...settings });
  const contacts = Array.from({ length: 900 }, (_, n) => ({ phone: `+4930${9_000_000 + n}` }));
  await client.ask('POST', `/campaigns/${id}/contacts`, { contacts });
  await server.stop();

  await server.start(crashAt === undefined ? {} : { crashAt });
  const restarted = server.gone().then(() => server.start());
  await client.once('PATCH', `/campaigns/${id}`, { status: 'active' });
  while (runtime.dials() < 5) await aMoment();
  const stopping = client.ask<{ campaigns: Array<{ id: string }> }>('POST', '/calling/stop', { hang_up: 'none' });
  if (crashAt === undefined) {
    await setTimeout(killAfterMs);
    await server.kill();
  }
  const { campaigns } = await stopping;
  const dialed = runtime.dials();
  assert.ok(dialed > 0, 'calling had begun');
  assert.deepEqual(
    campaigns.map((campaign) => campaign.id),
    [id],
  );
  await server.kill();
  await restarted.catch(() => undefined);
  await server.kill();
  await server.start();
  while ((await client.queued()).some((kind) => kind === 'call.dial')) await aMoment();
  await aWhile(); // in which a campaign would dial a hundred times
  assert.equal(runtime.dials(), dialed, 'nothing was handed over after the answer');
  const { stopped } = await client.ask<{ stopped: boolean }>('GET', '/calling');
  assert.equal(stopped, true);
  const { resumed } = await client.ask<{ resumed: unknown[] }>('POST', '/calling/resume', {});
  assert.equal(resumed.length, 1);
  while (runtime.dials() === dialed) await aMoment();
}

suite(`a stop of all calling among kills (PARLEY_CRASH_SEED=${seed})`, { concurrency: 2 }, () => {
  const random = randomOf(seed);
  for (let n = 0; n < tries; n += 1) {
    const points = ['stop.committed:1', 'dial.unsent', 'dial.unrecorded', 'any moment'];
    for (const point of points) {
      const crashAt =
        point === 'any moment' ? undefined : point.includes(':') ? point : `${point}:${random.between(1, 60)}`;
      const killAfterMs = random.between(0, 60);
      test(`${crashAt ?? `a kill after ${killAfterMs} ms`} (${n + 1})`, (t) => stopAmongKills(t, crashAt, killAfterMs));
    }
  }
});
