import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import http, { type IncomingHttpHeaders } from 'node:http';
import { after, suite, test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { pagePaths } from '../../src/http/dashboard/pages.ts';
import { createDashboard } from '../../src/http/dashboard/serve.ts';
import { createHttpServer } from '../../src/http/server.ts';
import { createHealth } from '../../src/http/health.ts';
import { aSession } from '../support/sessions.ts';
import { startTestServer } from '../support/server.ts';

const server = await startTestServer();
after(() => server.stop());

type Raw = { status: number; headers: IncomingHttpHeaders; bytes: Buffer };

/** Sends a request with node:http; fetch would decompress the answer. */
const raw = (path: string, headers: Record<string, string> = {}, method = 'GET', base = server.url): Promise<Raw> =>
  new Promise((resolve, reject) => {
    http
      .request(base + path, { method, headers }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () =>
          resolve({ status: response.statusCode!, headers: response.headers, bytes: Buffer.concat(chunks) }),
        );
      })
      .on('error', reject)
      .end();
  });

const browser = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8' };
const pathOf = (pattern: string): string => pattern.replace('{id}', randomUUID());

/** The directives of a policy by their names. */
const directivesOf = ({ headers }: Raw): Map<string, string> =>
  new Map(
    String(headers['content-security-policy'])
      .split('; ')
      .map((directive) => [directive.split(' ')[0]!, directive.split(' ').slice(1).join(' ')] as const),
  );

suite('pages', () => {
  test('are HTML for everybody, with and without a session, also to HEAD and with a trailing slash', async () => {
    const { cookie } = await aSession(server, 'viewer');
    for (const pattern of pagePaths) {
      const path = pathOf(pattern);
      for (const headers of [{}, browser, { accept: 'application/json' }, { cookie }]) {
        const answer = await raw(path, headers);
        assert.equal(answer.status, 200, path);
        assert.equal(answer.headers['content-type'], 'text/html; charset=utf-8', path);
        assert.match(answer.bytes.toString(), /<script type="module" src="\/assets\//, path);
      }
      const head = await raw(path, {}, 'HEAD');
      assert.deepEqual([head.status, head.bytes.length], [200, 0], path);
      assert.equal((await raw(`${path.replace(/\/$/, '')}/`)).status, 200, `${path}/`);
    }
  });

  test('let an agent’s page alone use the microphone', async () => {
    for (const pattern of pagePaths) {
      const policy = String((await raw(pathOf(pattern))).headers['permissions-policy']);
      const allowed = pattern === '/agents/{id}' ? 'self' : '';
      assert.ok(policy.split(', ').includes(`microphone=(${allowed})`), `${pattern}: ${policy}`);
      for (const denied of ['camera=()', 'geolocation=()']) assert.ok(policy.split(', ').includes(denied), pattern);
    }
  });

  test('carry a policy that lets only this server’s scripts and styles run, and no string become a script', async () => {
    for (const path of ['/', '/login', '/setup?token=x', '/campaigns/new']) {
      const answer = await raw(path);
      const directives = directivesOf(answer);
      const wanted = {
        'default-src': "'none'",
        'script-src': "'self'",
        'style-src': "'self'",
        'connect-src': "'self'",
        'base-uri': "'none'",
        'frame-ancestors': "'none'",
        'require-trusted-types-for': "'script'",
        'trusted-types': "'none'",
      };
      for (const [name, value] of Object.entries(wanted)) assert.equal(directives.get(name), value, name);
      for (const [name, value] of directives) assert.match(value, /^'(?:self|none|script)'$/, name);
      const { headers } = answer;
      assert.equal(headers['x-content-type-options'], 'nosniff');
      assert.equal(headers['referrer-policy'], 'no-referrer');
      assert.equal(headers['cross-origin-opener-policy'], 'same-origin');
      for (const feature of ['camera', 'microphone', 'geolocation']) {
        assert.match(String(headers['permissions-policy']), new RegExp(`\\b${feature}=\\(\\)`));
      }
    }
  });

  test('are asked for again each time, and answered with 304 while they are the same', async () => {
    const first = await raw('/campaigns');
    assert.equal(first.headers['cache-control'], 'no-cache');
    const again = await raw('/campaigns', { 'if-none-match': String(first.headers.etag) });
    assert.deepEqual([again.status, again.bytes.length], [304, 0]);
    assert.equal(again.headers['content-security-policy'], first.headers['content-security-policy']);
  });

  test('take GET alone', async () => {
    const answer = await raw('/campaigns', {}, 'POST');
    assert.deepEqual([answer.status, answer.headers.allow], [405, 'GET, HEAD']);
  });

  test('load nothing but files of this server, and contain no inline script or style', async () => {
    for (const path of ['/', '/login', '/nowhere']) {
      const markup = (await raw(path, browser)).bytes.toString();
      assert.doesNotMatch(markup, /<style|\sstyle=|\son\w+=|<script(?![^>]* src=)/i);
      for (const [, target] of markup.matchAll(/\s(?:src|href)="([^"]*)"/g)) assert.match(target!, /^\/(?!\/)/);
    }
  });
});

suite('an unknown path', () => {
  test('is a page that says so where the request accepts one, and JSON elsewhere', async () => {
    for (const path of ['/nowhere', '/campaigns/a/b', '/login/x']) {
      const page = await raw(path, browser);
      assert.deepEqual([page.status, page.headers['content-type']], [404, 'text/html; charset=utf-8'], path);
      assert.match(page.bytes.toString(), /<h1>Not found<\/h1>/);
      assert.match(String(page.headers.vary), /\bAccept\b/);
      assert.equal(directivesOf(page).get('script-src'), "'self'");
      for (const headers of [{}, { accept: '*/*' }, { accept: 'application/json' }]) {
        const answer = await raw(path, headers);
        assert.equal(answer.status, 404);
        assert.equal((JSON.parse(answer.bytes.toString()) as { code: string }).code, 'NOT_FOUND');
      }
    }
  });

  test('of the API is JSON for everybody', async () => {
    const answer = await raw('/api/v1/nowhere', browser);
    assert.deepEqual([answer.status, answer.headers['content-type']], [404, 'application/json; charset=utf-8']);
  });
});

suite('files', () => {
  const filesOf = async (path: string): Promise<string[]> =>
    [...(await raw(path)).bytes.toString().matchAll(/"(\/assets\/[^"]+)"/g)].map(([, file]) => file!);

  test('have their content’s hash in their name, are kept for a year, and are compressed as the client wishes', async () => {
    const files = await filesOf('/account');
    assert.ok(files.length >= 4, `only ${files.length} files`);
    for (const file of files) {
      assert.match(file, /^\/assets\/[\w-]+-[A-Z0-9]{8}\.(?:js|css|svg)$/);
      const plain = await raw(file, { 'accept-encoding': 'identity' });
      assert.equal(plain.status, 200);
      assert.equal(plain.headers['cache-control'], 'public, max-age=31536000, immutable');
      assert.equal(plain.headers['x-content-type-options'], 'nosniff');
      assert.equal(plain.headers['content-encoding'], undefined);
      for (const [encoding, decode] of [
        ['br', brotliDecompressSync],
        ['gzip', gunzipSync],
      ] as const) {
        const answer = await raw(file, { 'accept-encoding': encoding });
        assert.equal(answer.headers['content-encoding'], encoding);
        assert.match(String(answer.headers.vary), /Accept-Encoding/);
        assert.deepEqual(decode(answer.bytes), plain.bytes);
        assert.equal(answer.headers['content-type'], plain.headers['content-type']);
      }
      const both = await raw(file, { 'accept-encoding': 'gzip, deflate, br, zstd' });
      assert.equal(both.headers['content-encoding'], 'br');
    }
  });

  test('of another name are 404', async () => {
    for (const name of ['app.js', '__proto__', '..%2Fpackage.json', 'toString']) {
      const answer = await raw(`/assets/${name}`);
      assert.deepEqual([answer.status, answer.headers['cache-control']], [404, 'no-store'], name);
    }
  });
});

test('where the dashboard is not built, its pages say so and the API works', async (t) => {
  const health = createHealth();
  health.set({ status: 'ready' });
  const { app } = server.running;
  const dashboard = (): Promise<never> => Promise.reject(new Error('no esbuild'));
  const web = createHttpServer(app, { routes: [], health, checkAnswers: true, dashboard });
  await new Promise<void>((resolve) => web.listen(0, '127.0.0.1', resolve));
  t.after(() => web.close());
  const base = `http://127.0.0.1:${(web.address() as { port: number }).port}`;
  const answer = await raw('/campaigns', browser, 'GET', base);
  assert.deepEqual([answer.status, answer.headers['content-type']], [503, 'text/html; charset=utf-8']);
  assert.match(answer.bytes.toString(), /The dashboard is not built\..*npm ci/s);
  assert.equal((await raw('/nowhere', browser, 'GET', base)).status, 404);
  assert.equal((await raw('/livez', {}, 'GET', base)).status, 200);
});

test('the dashboard is loaded once, when its first page is opened', async () => {
  let loads = 0;
  const build = { assets: {}, pages: { '': 'page' }, notFound: '' };
  const { page } = createDashboard(server.running.app, () => Promise.resolve((loads++, build)));
  assert.equal(loads, 0);
  const sent = () => page('/')({ set: () => undefined } as never, {});
  await Promise.all([sent(), sent()]);
  assert.equal(loads, 1);
});
