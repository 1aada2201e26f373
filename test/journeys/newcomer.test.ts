import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { isSignedWith } from '../../src/base/standard-webhooks.ts';
import { run, scratch, serve, startCommand } from '../cli/support.ts';

/** A newcomer's first day: from an empty directory to the first verified webhook, with nothing but commands and the key that the start printed. */

const maxMs = 120_000;

test('a newcomer has a first verified webhook within two minutes', { timeout: maxMs }, async (t) => {
  const data = scratch(t);
  const { ready } = await serve(t, ['--data', data]);
  const headers = { 'x-api-key': ready.api_key!, 'content-type': 'application/json' };
  type Models = { data: Array<{ llmModel: string; voices: Array<{ id: string }> }> };
  const models = await fetch(`${ready.url}/api/v1/available-llm-models/with-voices`, { headers });
  const [model] = ((await models.json()) as Models).data;
  const agent = { agentName: 'Robin', model: model!.llmModel, voiceId: model!.voices[0]!.id };
  const created = await fetch(`${ready.url}/api/v1/agents/`, { method: 'POST', headers, body: JSON.stringify(agent) });
  assert.equal(created.status, 200);

  const secretLine = await run(['listen', '--secret', '--data', data]);
  const [secret = ''] = secretLine.out.split(/\s/);
  assert.match(secret, /^whsec_/);

  const verified = Promise.withResolvers<{ event: string; test: boolean; data: { status: string } }>();
  const program = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => {
      const body = Buffer.concat(pieces);
      const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature } = request.headers;
      const signed = { id: String(id), timestamp: String(timestamp), signature: String(signature) };
      const isGenuine = isSignedWith(secret, signed, body);
      response.writeHead(isGenuine ? 200 : 401).end();
      if (isGenuine) verified.resolve(JSON.parse(body.toString()) as never);
    });
  });
  await new Promise<void>((done) => program.listen(0, '127.0.0.1', done));
  t.after(() => program.close());
  const url = `http://127.0.0.1:${(program.address() as AddressInfo).port}/hooks`;

  const listening = startCommand(t, ['listen', '--forward', url, '--data', data]);
  await listening.shows(/forwarding to/);
  const sent = await run(['trigger', 'call.completed', '--outcome', 'voicemail', '--data', data]);
  assert.equal(sent.code, 0, sent.err);
  const event = await verified.promise;
  assert.deepEqual([event.event, event.test, event.data.status], ['call.completed', true, 'voicemail']);
  await listening.shows(/call\.completed {2}200 /);
  listening.signal('SIGINT');
  assert.match((await listening.ended).err, /1 event: 1 forwarded, 0 failed/);
});
