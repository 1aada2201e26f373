// Waits: pauses before it connects again pass in real time.
// Long: it starts some fifteen processes.
import assert from 'node:assert/strict';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { createClient } from '../../clients/typescript/index.ts';
import { headersFault, isSignedWith } from '../../src/base/standard-webhooks.ts';
import { anAgent } from '../support/fixtures.ts';
import { run, scratch, serve, type Server, startCommand } from './support.ts';

const key = 'pk_test_listening_key_1234';
const env = { PARLEY_BOOTSTRAP_API_KEY: key };

type Hook = { id: string; body: string; isVerified: boolean };
type Receiver = { url: string; hooks: Hook[]; has(count: number): Promise<void>; close(): Promise<void> };

/** A program of a developer that verifies what it gets. */
async function aProgram(t: TestContext, secret: string, port = 0): Promise<Receiver> {
  const hooks: Hook[] = [];
  const waiting = new Set<() => void>();
  const server = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => {
      const body = Buffer.concat(pieces);
      const headers = signatureOf(request.headers);
      const fresh = headersFault(headers, [Math.floor(Date.now() / 1000)]) === undefined;
      hooks.push({ id: headers.id, body: body.toString(), isVerified: fresh && isSignedWith(secret, headers, body) });
      response.writeHead(200).end();
      for (const wake of waiting) wake();
    });
  });
  await new Promise<void>((done) => server.listen(port, '127.0.0.1', done));
  const close = (): Promise<void> =>
    new Promise((done) => {
      server.close(() => done());
      server.closeAllConnections();
    });
  t.after(close);
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`,
    hooks,
    close,
    has: (count) =>
      new Promise((done) => {
        const look = (): void => {
          if (hooks.length >= count) done();
        };
        waiting.add(look);
        look();
      }),
  };
}

const signatureOf = (headers: IncomingHttpHeaders) => ({
  id: String(headers['webhook-id']),
  timestamp: String(headers['webhook-timestamp']),
  signature: String(headers['webhook-signature']),
});

const clientOf = ({ ready }: Server) => ({ api: createClient({ baseUrl: ready.url, apiKey: key }) });

async function triggered(data: string, ...more: string[]): Promise<string> {
  const { code, out, err } = await run(['trigger', 'call.completed', '--data', data, ...more]);
  assert.equal(code, 0, err);
  return out.trim();
}

test('events are forwarded to a program without a public address, verified, also over kill -9 of either side', async (t) => {
  const data = scratch(t);
  const first = await serve(t, ['--data', data], env);
  const { id: agentId } = await anAgent(clientOf(first));
  const secret = (await run(['listen', '--secret', '--agent', agentId, '--data', data])).out.trim();
  assert.match(secret, /^whsec_/);
  const program = await aProgram(t, secret);
  const args = ['listen', '--forward', program.url, '--data', data];
  const listening = startCommand(t, args);
  await listening.shows(/Listening to/);

  const file = join(scratch(t), 'data.json');
  writeFileSync(file, '{"duration_sec": 7}');
  const ids = [await triggered(data, '--outcome', 'voicemail', '--data', file)];
  await program.has(1);
  const { event, test: isTest, data: sent } = JSON.parse(program.hooks[0]!.body) as Record<string, unknown>;
  assert.deepEqual([event, isTest], ['call.completed', true]);
  const { status, duration_sec } = sent as Record<string, unknown>;
  assert.deepEqual([status, duration_sec], ['voicemail', 7]);
  await listening.shows(new RegExp(`^\\d\\d:\\d\\d:\\d\\d  call\\.completed  200  \\d+ ms  ${ids[0]}$`, 'm'));

  // The program restarts: the event is tried again.
  await program.close();
  ids.push(await triggered(data));
  await listening.shows(/ECONNREFUSED.*; trying again in 1 s/);
  const back = await aProgram(t, secret, Number(new URL(program.url).port));
  await back.has(1);

  // The server is killed; an event is written while nobody can listen, and the listener continues behind the last one.
  first.signal('SIGKILL');
  await first.ended;
  await listening.shows(/The connection was lost .*behind event/);
  ids.push(await triggered(data));
  await serve(t, ['--data', data], env);
  await back.has(2);
  await listening.shows(new RegExp(`200  \\d+ ms  ${ids[2]}$`, 'm'));

  // The listener is killed, and begins behind the last event that it printed.
  listening.signal('SIGKILL');
  await listening.ended;
  ids.push(await triggered(data));
  const again = startCommand(t, [...args, '--after', ids[2]!, '--json']);
  await back.has(3);
  await again.shows(/"attempts":1/);
  again.signal('SIGINT');
  const { code, err } = await again.ended;
  assert.equal(code, 0, err);
  assert.match(err, /1 event: 1 forwarded, 0 failed\./);
  const hooks = [...program.hooks, ...back.hooks];
  assert.deepEqual(
    hooks.map(({ id }) => id),
    ids,
  );
  assert.ok(hooks.every(({ isVerified }) => isVerified));
});

test('a server elsewhere is listened to with a key, and what cannot be done is said', async (t) => {
  const server = await serve(t, ['--ephemeral'], env);
  const client = clientOf(server);
  const [{ id }, other] = [await anAgent(client), await anAgent(client)];
  const at = ['--url', server.ready.url, '--key', key];
  const listening = startCommand(t, ['listen', ...at, '--agent', id]);
  await listening.shows(/Listening to/);
  const mine = async (agent: string) => run(['trigger', 'call.completed', ...at, '--agent', agent]);
  await mine(other.id);
  const sent = (await mine(id)).out.trim();
  await listening.shows(new RegExp(`call\\.completed  ${sent}`));
  listening.signal('SIGINT');
  assert.match((await listening.ended).err, /^1 event\./m);
  const several = await run(['trigger', 'call.completed', ...at]);
  assert.deepEqual([several.code, several.err.includes(other.id)], [1, true]);
  const wrong = async (...args: string[]) => run(args).then(({ code, err }) => `${code}: ${err}`);
  assert.match(
    await wrong('listen', ...at, '--forward', 'http://example.com/'),
    /^2: example\.com is not this machine/,
  );
  assert.match(await wrong('listen', '--url', server.ready.url), /^2: --url and --key belong together/);
  assert.match(await wrong('listen', '--data', scratch(t)), /^1: No server runs on/);
  assert.match(await wrong('listen', '--url', server.ready.url, '--key', `${key}x`), /^1: /);
  assert.match(await wrong('trigger', 'call.exploded', ...at, '--agent', id), /^1: /);
});
