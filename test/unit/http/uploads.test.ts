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
