import assert from 'node:assert/strict';
import http, { type IncomingHttpHeaders } from 'node:http';
import { after, before, suite, test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { securityHeadersOf } from '../../src/http/output/security-headers.ts';
import { loadConfig } from '../../src/main/configuration.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

let server: TestServer;
before(async () => {
  server = await startTestServer({ settings: { 'http.cors.origins': '["https://app.example.com"]' } });
});
after(() => server.stop());

type Raw = { status: number; headers: IncomingHttpHeaders; bytes: Buffer };

/** Sends a request with node:http; fetch would decompress the answer, apply CORS and add headers of its own. */
const raw = (path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Raw> =>
  new Promise((resolve, reject) => {
    const all = { 'x-api-key': server.apiKey, ...headers };
    const request = http.request(server.url + path, { method, headers: all }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () =>
        resolve({ status: response.statusCode!, headers: response.headers, bytes: Buffer.concat(chunks) }),
      );
    });
    request.on('error', reject).end();
  });
const contacts = '/api/v1/contacts/';

suite('every answer', () => {
  test('forbids storing, sniffing and framing, also an error', async () => {
    for (const answer of [await raw(contacts), await raw(contacts, { 'x-api-key': 'x' }), await raw('/nowhere')]) {
      const { headers } = answer;
      assert.equal(headers['cache-control'], 'no-store');
      assert.equal(headers['x-content-type-options'], 'nosniff');
      assert.equal(headers['referrer-policy'], 'no-referrer');
      assert.equal(headers['x-frame-options'], 'DENY');
      assert.match(String(headers['content-security-policy']), /default-src 'none'/);
      assert.equal(headers['strict-transport-security'], undefined, 'no public_url with https is configured');
      assert.equal(headers['x-powered-by'], undefined);
      assert.notEqual(headers['x-request-id'], undefined);
    }
  });

  test('has Strict-Transport-Security if the public URL uses https', () => {
    const headersAt = (url: string) => {
      const argvSettings = [{ path: 'http.public_url', value: url }];
      return securityHeadersOf(loadConfig({ argvSettings, env: {}, readFile: () => '' }).config);
    };
    assert.match(headersAt('https://parley.example.com').get('Strict-Transport-Security') ?? '', /^max-age=\d{8}$/);
    assert.equal(headersAt('http://parley.example.com').has('Strict-Transport-Security'), false);
  });

  test('to HEAD is the answer to GET without the body', async () => {
    const [get, head] = [await raw(contacts), await raw(contacts, {}, 'HEAD')];
    assert.deepEqual([head.status, head.bytes.length], [200, 0]);
    for (const name of ['content-length', 'content-type', 'etag']) assert.equal(head.headers[name], get.headers[name]);
    assert.equal((await raw('/api/v1/nowhere', {}, 'HEAD')).status, 404);
  });
});

suite('conditional requests', () => {
  const documentOf = async (): Promise<{ path: string; kbId: string }> => {
    const { body } = await server.post('/rag/knowledgebases', { name: 'Prices' });
    const kbId = String(body.data['knowledge_base_id']);
    await server.post('/rag/document', { kb_id: kbId, doc_id: kbId, text: 'An hour costs 80 euros.' });
    return { path: `/api/v1/rag/document?org_id=${server.orgId}&doc_id=${kbId}`, kbId };
  };

  test('an unchanged answer is 304 without a body', async () => {
    const { path, kbId } = await documentOf();
    await server.advance(60_000);
    const first = await raw(path);
    const etag = String(first.headers.etag);
    assert.match(etag, /^W\/"[\w-]{27}"$/);
    const same = await raw(path, { 'if-none-match': `"other", ${etag}` });
    assert.deepEqual([same.status, same.bytes.length, same.headers.etag], [304, 0, etag]);
    assert.equal(same.headers['content-type'], undefined);
    assert.equal((await raw(path, { 'if-none-match': etag }, 'HEAD')).status, 304);
    await server.post('/rag/document', { kb_id: kbId, doc_id: kbId, text: 'An hour costs 90 euros.' });
    const changed = await raw(path, { 'if-none-match': etag });
    assert.equal(changed.status, 200);
    assert.notEqual(changed.headers.etag, etag);
  });

  test('an ETag never matches an answer to another organization, an error, or the answer to a write', async () => {
    const { path } = await documentOf();
    const { etag } = (await raw(path)).headers;
    const other = await server.newOrganization();
    assert.equal((await raw(path, { 'if-none-match': etag!, 'x-api-key': other.apiKey })).status, 404);
    const refused = await raw(path, { 'if-none-match': '*', 'x-api-key': 'x' });
    assert.deepEqual([refused.status, refused.headers.etag], [401, undefined]);
    assert.equal((await server.post('/do-not-call', { phone: '+4930901820' })).headers.get('etag'), null);
  });

  test('a list has no ETag and is never 304', async () => {
    const lists = [
      'agents',
      'campaigns',
      'contacts',
      'phone-numbers',
      `rag/knowledgebases?org_id=${server.orgId}`,
      'views',
      'calls',
    ];
    for (const list of lists) {
      const { status, headers } = await raw(`/api/v1/${list}`, { 'if-none-match': '*' });
      assert.deepEqual([list, status, headers.etag], [list, 200, undefined]);
    }
  });
});

suite('compression', () => {
  const large = '/openapi.json';

  test('a large answer is compressed with an encoding that the client accepts', async () => {
    const plain = await raw(large);
    assert.equal(plain.headers['content-encoding'], undefined);
    assert.ok(plain.bytes.length > 20_000);
    for (const [accepted, name, decode] of [
      ['gzip', 'gzip', gunzipSync],
      ['gzip;q=0.5, br', 'br', brotliDecompressSync],
    ] as const) {
      const answer = await raw(large, { 'accept-encoding': accepted });
      assert.equal(answer.headers['content-encoding'], name);
      assert.match(String(answer.headers.vary), /Accept-Encoding/);
      assert.ok(answer.bytes.length < plain.bytes.length / 4);
      assert.equal(Number(answer.headers['content-length']), answer.bytes.length);
      assert.deepEqual(decode(answer.bytes), plain.bytes);
      assert.equal(answer.headers['content-type'], plain.headers['content-type']);
      assert.equal(answer.headers.etag, plain.headers.etag, 'the weak ETag is the same for every encoding');
    }
    assert.equal((await raw(large, { 'accept-encoding': 'gzip;q=0' })).headers['content-encoding'], undefined);
  });

  test('a small answer is not compressed', async () => {
    const { headers } = await raw('/api/v1/system', { 'accept-encoding': 'gzip, br' });
    assert.equal(headers['content-encoding'], undefined);
  });

  test('a large list is compressed, and decompresses to the same text', async () => {
    for (let index = 0; index < 30; index++) await server.post('/contacts/', { company: 'x'.repeat(200) });
    const answer = await raw(contacts, { 'accept-encoding': 'gzip' });
    assert.equal(answer.headers['content-encoding'], 'gzip');
    const list = JSON.parse(gunzipSync(answer.bytes).toString()) as { meta: { total: number } };
    assert.ok(list.meta.total >= 30);
  });
});

suite('CORS', () => {
  const origin = 'https://app.example.com';
  const preflight = (from: string) =>
    raw(
      contacts,
      { origin: from, 'access-control-request-method': 'POST', 'access-control-request-headers': 'x-api-key' },
      'OPTIONS',
    );

  test('a configured origin may send requests and read the answers', async () => {
    const asked = await preflight(origin);
    assert.equal(asked.status, 204);
    assert.equal(asked.headers['access-control-allow-origin'], origin);
    assert.match(String(asked.headers['access-control-allow-methods']), /PATCH/);
    assert.match(String(asked.headers['access-control-allow-headers']), /X-Api-Key/);
    assert.equal(asked.headers['access-control-allow-credentials'], undefined);
    for (const answer of [await raw(contacts, { origin }), await raw(contacts, { origin, 'x-api-key': 'x' })]) {
      assert.equal(answer.headers['access-control-allow-origin'], origin);
      assert.match(String(answer.headers['access-control-expose-headers']), /RateLimit/);
      assert.match(String(answer.headers.vary), /Origin/);
    }
  });

  test('another origin gets no CORS headers', async () => {
    for (const from of [
      'https://evil.example.com',
      'https://app.example.com.evil.com',
      'null',
      'http://app.example.com',
    ]) {
      const asked = await preflight(from);
      assert.deepEqual([asked.status, asked.headers['access-control-allow-origin']], [405, undefined], from);
      assert.equal((await raw(contacts, { origin: from })).headers['access-control-allow-origin'], undefined);
    }
  });

  test('without configured origins there are no CORS headers', async (t) => {
    const closed = await startTestServer();
    t.after(() => closed.stop());
    const { headers, status } = await closed.request('OPTIONS', '/contacts/', {
      headers: { origin, 'access-control-request-method': 'POST' },
    });
    assert.deepEqual([status, headers.get('access-control-allow-origin')], [405, null]);
    assert.equal(headers.get('vary')?.includes('Origin') ?? false, false);
  });
});
