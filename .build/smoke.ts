/**
 * Tests the packaged executable with an empty environment, no Node in the PATH and an empty working directory. Run `npm run package`
 * first.
 *
 *   node .build/smoke.ts [--executable dist/parley]
 *
 * Prints each check, and exits with 1 at the first failure.
 */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import manifest from '../package.json' with { type: 'json' };
import { type Api, createApi } from '../src/cli/demo/api.ts';
import { type Receiver, startReceiver } from '../src/cli/demo/receiver.ts';
import { activate, pickModel, seed } from '../src/cli/demo/seed.ts';
import { encode } from '../src/telephony/audio/g711.ts';
import { linesAt, pdfOf } from '../test/support/documents/pdf.ts';
import { voiceLike } from '../test/support/listening/sounds.ts';
import { startFakeRealtime } from '../test/support/realtime/server.ts';
import { startLlm, startStt, startTts } from '../test/support/speech/cascade.ts';

const suffix = process.platform === 'win32' ? '.exe' : '';
const { values } = parseArgs({
  options: { executable: { type: 'string', default: resolve(import.meta.dirname, `../dist/parley${suffix}`) } },
});
const executable = resolve(values.executable);
const scratch = mkdtempSync(join(tmpdir(), 'parley-smoke-'));
/**
 * A PATH without programs, and options of Node that would end each process if the executable obeyed them. Windows cannot start a process
 * without SystemRoot.
 */
const environment: Record<string, string | undefined> = {
  PATH: '/nonexistent',
  NODE_OPTIONS: '--require=/nonexistent/module.js',
  ...(process.platform === 'win32' ? { SystemRoot: process.env['SystemRoot'] } : {}),
};
const options = { cwd: scratch, env: environment as NodeJS.ProcessEnv };

const dayMs = 86_400_000;
const timeoutMs = 30_000;

const passed = (what: string): void => console.log(`  ok  ${what}`);

function run(...args: string[]): { code: number | null; out: string; err: string } {
  const { status, stdout, stderr, error } = spawnSync(executable, args, {
    ...options,
    encoding: 'utf8',
    timeout: timeoutMs,
    maxBuffer: 2 ** 26, // the OpenAPI document has more than a megabyte
  });
  if (error) throw error;
  return { code: status, out: stdout, err: stderr };
}

type Ready = { url: string; org_id: string; api_key: string | null; pid: number; version: string };
type Server = { ready: Ready; out(): string; stop(): Promise<void> };

let child: ChildProcess | undefined;

/** Starts `parley serve` and waits for its ready file. */
async function serve(name: string, ...args: string[]): Promise<Server> {
  const readyFile = join(scratch, `${name}.json`);
  const server = spawn(executable, ['serve', '--port', '0', '--ready-file', readyFile, ...args], {
    ...options,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  child = server;
  let [out, err] = ['', ''];
  server.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text;
  });
  server.stderr.setEncoding('utf8').on('data', (text: string) => {
    err += text;
  });
  const exited = new Promise<number | null>((done, failed) => server.once('exit', done).once('error', failed));
  const deadline = performance.now() + timeoutMs;
  while (!existsSync(readyFile)) {
    const ended = await Promise.race([exited, pause(50)]);
    if (ended !== undefined || performance.now() > deadline) throw new Error(`parley serve is not ready:\n${err}`);
  }
  const ready = JSON.parse(readFileSync(readyFile, 'utf8')) as Ready;
  assert.equal(ready.pid, server.pid);
  assert.equal(mode(readyFile), 0o600);
  if (process.platform !== 'win32') server.kill('SIGUSR1');
  assert.equal((await fetch(`${ready.url}/ready`)).status, 200);
  return {
    ready,
    out: () => out,
    async stop() {
      server.kill('SIGTERM');
      assert.equal(await exited, 0, err);
      assert.equal(/warning|debugger/i.test(err), false, err);
      passed(`${name} opens no debugger at SIGUSR1, and exits with 0 after SIGTERM`);
    },
  };
}

const pause = (ms: number): Promise<undefined> => new Promise((done) => setTimeout(done, ms, undefined));
/** Permission bits; Windows has none, so it passes every check. */
const mode = (path: string): number => (process.platform === 'win32' ? 0o600 : statSync(path).mode & 0o777);

function commands(): void {
  console.log('commands');
  const { code, out, err } = run('version', '--json');
  const { versions, platform, arch } = process;
  assert.deepEqual([code, err], [0, '']);
  const { version, ...machine } = JSON.parse(out) as Record<string, string>;
  assert.match(version!, new RegExp(`^${RegExp.escape(manifest.version)}([+-][\\w.+-]+)?$`));
  assert.deepEqual(machine, { node: versions.node, platform, arch });
  passed(`version --json: ${out.trim()}`);
  const printed = run('config', 'print', '--set', 'email.password=hunter2');
  assert.deepEqual([printed.code, printed.err], [0, '']);
  assert.match(printed.out, /^email\.password = \*+ {3}# flag --set$/m);
  assert.match(printed.out, /^http\.port = 8080 {3}# default$/m);
  passed('config print shows settings and masks secrets');
  assert.equal((JSON.parse(run('openapi').out) as { openapi: string }).openapi, '3.1.0');
  passed('openapi prints a document');
  const misused = run('serve', '--colour');
  assert.equal(misused.code, 2);
  assert.match(misused.err, /--colour.*\nUsage: parley serve/);
  passed('wrong usage exits with 2');
  const misconfigured = run('serve', '--set', 'http.prot=1');
  assert.equal(misconfigured.code, 78);
  assert.match(misconfigured.err, /http\.prot.*http\.port/);
  passed('an unknown setting exits with 78 and a suggestion');
}

async function campaign(): Promise<void> {
  console.log('a campaign with the test clock');
  const startMs = Temporal.Instant.from('2026-03-02T23:30:00Z').epochMilliseconds;
  const receiver = await startReceiver({ now: Date.now }); // webhook-timestamp is real time, also under the test clock
  try {
    const server = await serve(
      'ephemeral',
      ...['--ephemeral', '--test-clock', '2026-03-02T23:30:00Z', '--set', 'webhooks.allow_http_loopback=true'],
    );
    await dashboard(server.ready.url);
    await dial(createApi(server.ready.url, server.ready.api_key!), receiver, startMs);
    await server.stop();
  } finally {
    await receiver.close();
  }
}

/** The executable holds the built dashboard: its pages and every file that they name. */
async function dashboard(url: string): Promise<void> {
  const page = await fetch(`${url}/login`);
  assert.equal(page.status, 200);
  const files = [...(await page.text()).matchAll(/"(\/assets\/[^"]+)"/g)].map(([, file]) => file!);
  assert.ok(files.length >= 3);
  for (const file of files) assert.equal((await fetch(url + file)).status, 200, file);
  passed(`the log-in page and its ${files.length} files are served`);
}

/** The speech engines that the test calls use, with their settings. */
type Talker = { engine: string; sets: Record<string, string>; close?: () => Promise<unknown> };

async function talkers(): Promise<Talker[]> {
  const answer = { text: 'I heard you.', audioMs: 400 };
  const realtime = await startFakeRealtime({ silenceMs: 500, heard: () => 'Good morning', answer: () => answer });
  const stt = await startStt(() => ({ text: 'Good morning' }));
  const llm = await startLlm(() => ({ text: ['I heard ', 'you.'] }));
  const tts = await startTts();
  return [
    { engine: 'echo', sets: {} },
    { engine: 'realtime', sets: { 'speech.realtime.url': realtime.url }, close: () => realtime.close() },
    {
      engine: 'cascade',
      sets: { 'speech.stt.url': stt.url, 'speech.llm.url': llm.url, 'speech.tts.url': tts.url },
      close: () => Promise.all([stt.close(), llm.close(), tts.close()]),
    },
  ];
}

/** Threads, the greeting and the detection of speech (WebAssembly) are embedded. */
async function testCalls(): Promise<void> {
  console.log('test calls');
  for (const { engine, sets, close } of await talkers()) {
    const settings = Object.entries({ 'speech.engine': engine, ...sets });
    const server = await serve(
      engine,
      '--ephemeral',
      ...settings.flatMap(([path, value]) => ['--set', `${path}=${value}`]),
    );
    const { url, api_key: key } = server.ready;
    const api = createApi(url, key!);
    const { model, voiceId } = await pickModel(api);
    const fields = { agentName: 'Ada', model, voiceId, firstMessage: 'Hello, this is Ada.' };
    const { data: agent } = await api.post<{ id: string }>('/api/v1/agents/', fields);
    const page = await fetch(`${url}/agents/${agent.id}`);
    assert.match(page.headers.get('permissions-policy') ?? '', /microphone=\(self\)/);
    const { data } = await api.post<{ audio_url: string; ticket: string }>(`/api/v1/agents/${agent.id}/test-calls`, {});
    await conversation(engine, new WebSocket(data.audio_url, ['parley.audio.v1', `ticket.${data.ticket}`]));
    await server.stop();
    await close?.();
  }
}

/** The greeting is heard; then somebody says, or with `echo` types, good morning and is answered. */
async function conversation(engine: string, socket: WebSocket): Promise<void> {
  socket.binaryType = 'arraybuffer';
  const speech = encode('PCMU', voiceLike(800));
  const silence = new Uint8Array(160).fill(0xff);
  let [greeting, quiet, spoken] = [0, 0, 0];
  const isGreeted = (): boolean => greeting >= 10 && quiet >= 20;

  function hear(frame: Uint8Array): void {
    quiet = frame.every((byte) => byte === 0xff) ? quiet + 1 : 0;
    if (quiet === 0) greeting += 1;
    if (engine === 'echo' && isGreeted() && spoken === 0) {
      spoken = speech.length;
      socket.send('{"type":"text","text":"Good morning"}');
    }
    const isSpeaking = spoken > 0 || isGreeted();
    socket.send(isSpeaking && spoken < speech.length ? speech.slice(spoken, (spoken += 160)) : silence);
  }

  const answered = Promise.withResolvers<void>();
  let isHeard = false;
  socket.addEventListener('message', ({ data: message }: { data: unknown }) => {
    if (typeof message !== 'string') return hear(new Uint8Array(message as ArrayBuffer));
    if (message.includes('"role":"user"')) isHeard = message.includes('Good morning');
    if (isHeard && message.includes('"role":"agent"')) answered.resolve();
  });
  socket.addEventListener('close', () => answered.reject(new Error('the test call broke off')));
  setTimeout(() => answered.reject(new Error('nobody answered in the test call')), timeoutMs).unref();
  await answered.promise;
  socket.close();
  passed(`${engine}: the greeting is heard (${greeting} frames), and a turn is answered`);
}

type Stats = { total: number; pending: number; inProgress: number };
type Campaign = { status: string; contactStats: Stats };

async function dial(api: Api, receiver: Receiver, nowMs: number): Promise<void> {
  const seeded = await seed(api, { webhookUrl: receiver.url, contacts: 100, nowMs });
  receiver.trust(seeded.secret);
  passed('an agent, a number, a campaign and 100 contacts are created');
  await activate(api, seeded);
  const { data: advanced } = await api.post<{ now: string; ran: Record<string, number> }>(
    '/api/v1/test-clock/advance',
    {
      ms: dayMs,
    },
  );
  passed(`the clock advances by a day: ${JSON.stringify(advanced.ran)}`);
  const { data: after } = await api.get<Campaign>(`/api/v1/campaigns/${seeded.campaignId}`);
  const { total, pending, inProgress } = after.contactStats;
  assert.deepEqual([after.status, total, pending, inProgress], ['completed', 100, 0, 0]);
  passed(`the campaign is completed: ${JSON.stringify(after.contactStats)}`);
  const { data: calls } = await api.get<Array<{ call_id: string }>>('/api/v1/calls?limit=500');
  assert.equal(calls.length, 100);
  assert.deepEqual(new Set(calls.map((call) => call.call_id)), receiver.verifiedCalls);
  assert.equal(receiver.rejected(), 0);
  passed('each call sent one webhook with a valid signature');
}

type Base = { knowledge_base_id: string; status: string };

/** Tests the document reader, because its worker thread starts from embedded text only in the executable. */
async function knowledge({ url, api_key: key }: Ready, api: Api): Promise<void> {
  const { data: base } = await api.post<Base>('/api/v1/rag/knowledgebases', { name: 'Help' });
  const path = `/api/v1/rag/knowledge-base/${base.knowledge_base_id}`;
  const form = new FormData();
  form.set(
    'file',
    new Blob([new Uint8Array(pdfOf([linesAt(700, ['Shoes may be returned within 30 days.'])]))]),
    'help.pdf',
  );
  const added = await fetch(`${url}${path}/add-sources`, {
    method: 'POST',
    headers: { 'x-api-key': key! },
    body: form,
  });
  assert.equal(added.status, 200, await added.text());
  const deadline = performance.now() + timeoutMs;
  while ((await api.get<Base>(path)).data.status !== 'complete') {
    assert.ok(performance.now() < deadline, 'the PDF was not ingested in time');
    await pause(50);
  }
  const { data: found } = await api.post<Array<{ text: string; page: number }>>(`${path}/query`, { query: 'return' });
  assert.deepEqual([found[0]?.text, found[0]?.page], ['Shoes may be returned within 30 days.', 1]);
  passed('a PDF is ingested, and a query finds its passage');
}

async function restart(): Promise<void> {
  console.log('a persistent data directory');
  const data = join(scratch, 'data');
  const first = await serve('first', '--data', data);
  const key = first.ready.api_key!;
  assert.ok(first.out().includes(key), 'the first start did not print its key');
  passed('the first start prints its admin key');
  const api = createApi(first.ready.url, key);
  const { data: contact } = await api.post<{ id: string }>('/api/v1/contacts/', { first_name: 'Ada' });
  await knowledge(first.ready, api);
  if (process.platform !== 'win32') {
    assert.equal(mode(data), 0o700);
    for (const file of ['parley.db', 'secrets.json', 'native/better_sqlite3.node']) {
      assert.equal(mode(join(data, file)), 0o600, file);
    }
    passed('the data directory has mode 0700, its files 0600');
  }
  const rival = run('serve', '--port', '0', '--data', data);
  assert.equal(rival.code, 1);
  assert.match(rival.err, new RegExp(`in use by process ${first.ready.pid}\\b`));
  passed('a second server on the same directory is refused, with the process id of the first');
  await first.stop();
  const second = await serve('second', '--data', data);
  assert.deepEqual([second.ready.api_key, second.ready.org_id], [null, first.ready.org_id]);
  const { data: stored } = await createApi(second.ready.url, key).get<{ first_name: string }>(
    `/api/v1/contacts/${contact.id}`,
  );
  assert.equal(stored.first_name, 'Ada');
  passed('after a restart the key is still valid, and the contact still exists');
  await second.stop();
}

try {
  commands();
  await campaign();
  await testCalls();
  await restart();
  console.log('the executable works');
} finally {
  child?.kill('SIGKILL');
  rmSync(scratch, { recursive: true, force: true });
}
