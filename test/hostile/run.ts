import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, watch } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { featureRoutes } from '../../src/features/interface.ts';
import type { Route } from '../../src/kernel/route.ts';
import { pathFor } from '../support/route-requests.ts';
import { corpus, type HostileBody } from './corpus.ts';

const mebibyte = 1_048_576;

export const routesWithBody: readonly Route[] = featureRoutes.filter(
  ({ body, upload, formFile }) => body ?? upload ?? formFile,
);

type Ready = { url: string; api_key: string; access_token: string };

/** A server in a process of its own, so that its memory and its main thread are its own. */
export type ServerUnderTest = Ready & { port: number; stop(): Promise<void> };

export async function startServerUnderTest(): Promise<ServerUnderTest> {
  const directory = mkdtempSync(join(tmpdir(), 'parley-hostile-'));
  const readyFile = join(directory, 'ready.json');
  const args = ['serve', '--ephemeral', '--port', '0', '--ready-file', readyFile];
  const settings = ['--set', 'http.rate_limit.per_second=0', '--set', 'log.level=warn'];
  const child = spawn(process.execPath, [join(import.meta.dirname, '../../bin/parley.js'), ...args, ...settings], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const ready = await readyOf(child, directory, readyFile);
  return {
    ...ready,
    port: Number(new URL(ready.url).port),
    async stop() {
      const exit = once(child, 'exit');
      child.kill('SIGTERM');
      await exit;
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

async function readyOf(child: ChildProcess, directory: string, file: string): Promise<Ready> {
  const events = watch(directory);
  child.once('exit', () => events.close());
  try {
    for (;;) {
      try {
        return JSON.parse(readFileSync(file, 'utf8')) as Ready;
      } catch {
        assert.equal(child.exitCode, null, 'the server did not start');
        await once(events, 'change');
      }
    }
  } finally {
    events.close();
  }
}

function framed(body: Buffer, { chunkBytes, extraLength = 0 }: HostileBody): { header: string; chunks: Buffer[] } {
  if (chunkBytes === undefined) return { header: `Content-Length: ${body.length + extraLength}`, chunks: [body] };
  const chunks: Buffer[] = [];
  for (let at = 0; at < body.length; at += chunkBytes) {
    const part = body.subarray(at, at + chunkBytes);
    chunks.push(Buffer.concat([Buffer.from(`${part.length.toString(16)}\r\n`), part, Buffer.from('\r\n')]));
  }
  return { header: 'Transfer-Encoding: chunked', chunks: [...chunks, Buffer.from('0\r\n\r\n')] };
}

/** The status of the answer; 0 if the connection is closed without one. */
async function statusOf(
  server: ServerUnderTest,
  route: Route,
  hostile: HostileBody,
  signedIn: boolean,
): Promise<number> {
  const { header, chunks } = framed(Buffer.from(hostile.make(limitOf(route))), hostile);
  const keys = [`X-Api-Key: ${server.api_key}`, `Authorization: Bearer ${server.access_token}`];
  const headers = { 'content-type': route.upload?.contentTypes[0] ?? 'application/json', ...hostile.headers };
  const head = [
    `${route.method} ${pathFor(route)} HTTP/1.1`,
    'Host: x',
    ...(signedIn ? keys : []),
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    header,
  ];
  const socket = connect(server.port, '127.0.0.1');
  socket.on('error', () => undefined); // an answer may come before the whole body was sent
  socket.write(`${head.join('\r\n')}\r\n\r\n`);
  for (const chunk of chunks) socket.write(chunk);
  if (hostile.extraLength !== undefined) socket.end();
  const answer = await new Promise<string>((resolve) => {
    socket.once('data', (data) => resolve(data.toString('latin1')));
    socket.once('close', () => resolve(''));
  });
  socket.destroy();
  return Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1] ?? 0);
}

const limitOf = ({ bodyLimit, upload }: Route): number => (bodyLimit === 'large' || upload ? 16 : 1) * mebibyte;

/** The statuses that are right answers to a hostile body. Without credentials the body does not matter; a CSV upload accepts any text. */
const rightStatuses = (route: Route, { also = [] }: HostileBody, signedIn: boolean): Set<number> => {
  if (route.access === 'public') return new Set([400, 401, 404, 413, 415, ...also]);
  if (!signedIn || route.access === 'session') return new Set([401]);
  return new Set([400, ...(route.upload ? [200, 404, 415] : []), ...also]);
};

export type Harm = { wrong: string[]; blocked: string[]; grownMebibytes: number; sent: number };

/** Sends each body to its route. Returns wrong answers, what blocked the main thread, and how much the memory grew. */
export async function attack(
  server: ServerUnderTest,
  pairs: ReadonlyArray<readonly [Route, HostileBody]>,
): Promise<Harm> {
  const idle = (await metricsOf(server)).memory;
  const harm: Harm = { wrong: [], blocked: [], grownMebibytes: 0, sent: 0 };
  for (const [route, hostile] of pairs) {
    for (const signedIn of [false, true]) {
      const status = await statusOf(server, route, hostile, signedIn);
      harm.sent += 1;
      if (!rightStatuses(route, hostile, signedIn).has(status)) {
        harm.wrong.push(`${route.operationId}, ${hostile.name}, ${signedIn ? 'signed in' : 'anonymous'}: ${status}`);
      }
    }
    if (harm.sent % 20 === 0) harm.grownMebibytes = Math.max(harm.grownMebibytes, await grownSince(server, idle));
  }
  harm.grownMebibytes = Math.max(harm.grownMebibytes, await grownSince(server, idle));
  harm.blocked = (await metricsOf(server)).blocked;
  return harm;
}

const grownSince = async (server: ServerUnderTest, idle: number): Promise<number> =>
  Math.round(((await metricsOf(server)).memory - idle) / mebibyte);

async function metricsOf({ url, api_key: key }: ServerUnderTest): Promise<{ memory: number; blocked: string[] }> {
  const text = await (await fetch(`${url}/metrics`, { headers: { 'x-api-key': key } })).text();
  return {
    memory: Number(/^process_resident_memory_bytes (\d+)/m.exec(text)![1]),
    blocked: text.split('\n').filter((line) => line.startsWith('parley_main_thread_blocked_total{')),
  };
}

export { corpus };
