import assert from 'node:assert/strict';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { test } from 'node:test';
import Koa, { type Context } from 'koa';
import { loadConfig } from '../../../src/main/configuration.ts';
import { createUploadReader } from '../../../src/http/input/uploads.ts';

/** A request whose sender disconnected before its body was read. */
function abandoned(contentType: string): Context {
  const request = new IncomingMessage(new Socket());
  request.method = 'POST';
  request.headers = { 'content-type': contentType, 'content-length': '1000' };
  request.destroy();
  return new Koa().createContext(request, new ServerResponse(request));
}

/** The same value as in src/http/input/uploads.ts. */
const maxConcurrentUploads = 32;

test('uploads whose senders have disconnected end and free their slot', async () => {
  const { config } = loadConfig({ argvSettings: [], env: {}, readFile: () => '' });
  const reader = createUploadReader(config);
  const csv = { contentTypes: ['text/csv'] as [string], description: '', rowSchema: {} };
  for (let sender = 0; sender <= maxConcurrentUploads; sender += 1) {
    await assert.rejects(reader.form(abandoned('multipart/form-data; boundary=x'), 'org'), /could not be read/);
    await assert.rejects(reader.direct(abandoned('text/csv'), csv, 'org'), /could not be read/);
  }
});

/** A request whose body never comes. */
function silent(contentLength: number): Context {
  const request = new IncomingMessage(new Socket());
  request.method = 'POST';
  request.headers = { 'content-type': 'text/csv', 'content-length': String(contentLength) };
  return new Koa().createContext(request, new ServerResponse(request));
}

test('an organization receives two large files at a time, and small ones and those of others beside them', async () => {
  const { config } = loadConfig({ argvSettings: [], env: {}, readFile: () => '' });
  const reader = createUploadReader(config);
  const csv = { contentTypes: ['text/csv'] as [string], description: '', rowSchema: {} };
  const requests: Context[] = [];
  const failures: string[] = [];
  const receive = (owner: string, contentLength: number): Promise<void> => {
    const request = silent(contentLength);
    requests.push(request);
    const received = reader.direct(request, csv, owner);
    return received.then(
      () => undefined,
      (error: unknown) => void failures.push(`${owner}: ${String(error)}`),
    );
  };
  const large = config.http.body_limits.file + 1;
  const first = [receive('a', large), receive('a', large), receive('a', 1000), receive('b', large)];
  await receive('a', large);
  assert.match(failures.join(), /^a: .*receiving too many files/);
  for (const { req } of requests) req.destroy();
  await Promise.all(first);
  assert.equal(failures.filter((failure) => failure.includes('could not be read')).length, 4);
  const again = receive('a', large);
  requests.at(-1)!.req.destroy();
  await again;
  assert.match(failures.at(-1)!, /could not be read/);
});

const boundary = 'boundary7MA4YWxk';
const head = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="people.csv"\r\n\r\n`;
const end = `\r\n--${boundary}--\r\n`;

/** A request with a form whose bytes arrive in chunks. */
function sending(body: string, chunkBytes: number): Context {
  const request = new IncomingMessage(new Socket());
  request.method = 'POST';
  const length = String(Buffer.byteLength(body));
  request.headers = { 'content-type': `multipart/form-data; boundary="${boundary}"`, 'content-length': length };
  const bytes = Buffer.from(body);
  let at = 0;
  const read = (): void => {
    request.push(at < bytes.length ? bytes.subarray(at, (at += chunkBytes)) : null);
  };
  Object.assign(request, { _read: read });
  return new Koa().createContext(request, new ServerResponse(request));
}

const received = async (body: string, chunkBytes: number): Promise<string> => {
  const { config } = loadConfig({ argvSettings: [], env: {}, readFile: () => '' });
  const { spool } = await createUploadReader(config).form(sending(body, chunkBytes), 'org');
  const chunks: Buffer[] = [];
  for await (const chunk of spool.read()) chunks.push(chunk);
  await spool.close();
  return Buffer.concat(chunks).toString();
};

test('a file is read however its form is cut into chunks', async () => {
  const file = `a\r\n--${boundary.slice(0, -1)}\r\n-\r\n--\r\n`.repeat(3);
  for (const chunkBytes of [1, 7, 64, 100_000]) assert.equal(await received(head + file + end, chunkBytes), file);
  const long = 'name,phone\r\n'.repeat(20_000);
  for (const chunkBytes of [16_383, 65_536, 1_000_000])
    assert.equal(await received(head + long + end, chunkBytes), long);
});

test('a form of too many line breaks is refused, and takes the loop in slices', async () => {
  let turns = 0;
  let next = setImmediate(function count() {
    turns += 1;
    next = setImmediate(count);
  });
  await assert.rejects(received(head + '\r\n'.repeat(500_000) + end, 65_536), /more than 500000 line breaks/);
  clearImmediate(next);
  assert.ok(turns > 50, `${turns} turns of the loop`);
});
