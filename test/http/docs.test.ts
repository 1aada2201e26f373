import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { after, test } from 'node:test';
import type { Document, Operation } from '../../src/http/docs/openapi-types.ts';
import { html, prose } from '../../src/http/docs/html.ts';
import { docsPage } from '../../src/http/docs/page.ts';
import { startTestServer } from '../support/server.ts';

const server = await startTestServer();
after(() => server.stop());
const get = async (path: string) => {
  const response = await fetch(`${server.url}${path}`);
  return { status: response.status, headers: response.headers, text: await response.text() };
};
const { text: page, headers } = await get('/docs');
const document = server.document as unknown as Document;
const operations = [...Object.values(document.paths), ...Object.values(document.webhooks)].flatMap((item) =>
  Object.values(item),
);
const idsOf = (markup: string): string[] => [...markup.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id!);

test('the page is public HTML, and its policy allows no scripts and only its own stylesheet', async () => {
  for (const path of ['/docs', '/docs/', '/docs/docs.css']) {
    const answer = await get(path);
    assert.equal(answer.status, 200, path);
    const policy = answer.headers.get('content-security-policy')!;
    assert.match(policy, /^default-src 'none'; style-src 'self';/);
    assert.doesNotMatch(policy, /unsafe|https?:|\*|data:/);
    assert.equal(answer.headers.get('x-content-type-options'), 'nosniff');
    assert.ok(answer.headers.get('x-request-id'));
  }
  assert.match(headers.get('content-type')!, /^text\/html; charset=utf-8/);
  assert.match((await get('/docs/docs.css')).headers.get('content-type')!, /^text\/css/);
});

test('the page has no inline scripts or styles and loads nothing from other servers', async () => {
  assert.doesNotMatch(page, /<script|<style|<[^>]*\s(?:style|on\w+)=|javascript:|<iframe|<object|<img|@import/i);
  const loaded = [...page.matchAll(/\s(?:src|href)="([^"]*)"/g)].map(([, target]) => target!);
  assert.deepEqual(
    loaded.filter((target) => !/^#|^\/docs\/docs\.css$|^\/openapi\.json$/.test(target)),
    [],
  );
  assert.doesNotMatch((await get('/docs/docs.css')).text, /url\(|@import/);
  assert.match((await get('/docs/docs.css')).text, /prefers-color-scheme: dark/);
});

test('every operation and every named schema has a section, and every link on the page has a target', () => {
  const ids = idsOf(page);
  assert.deepEqual(
    ids.filter((id, index) => ids.indexOf(id) !== index),
    [],
  );
  for (const { operationId } of operations) assert.ok(ids.includes(operationId), operationId);
  for (const name of Object.keys(document.components.schemas)) assert.ok(ids.includes(`schema-${name}`), name);
  for (const [, target] of page.matchAll(/href="#([^"]+)"/g)) assert.ok(ids.includes(target!), target!);
});

test('every operation shows its method and path, its parameters, its errors and a command', () => {
  const sections = page.split('<section class="operation"').slice(1);
  assert.equal(sections.length, operations.length);
  for (const [path, item] of Object.entries(document.paths)) {
    for (const [method, { operationId, responses }] of Object.entries(item)) {
      const section = sections.find((each) => each.startsWith(` id="${operationId}"`))!;
      assert.ok(section.includes(`>${method.toUpperCase()}</span> <code class="path">${path}</code>`), operationId);
      for (const [, name] of path.matchAll(/\{(\w+)\}/g))
        assert.ok(section.includes(`<code>${name}</code>`), operationId);
      for (const status of Object.keys(responses)) assert.ok(section.includes(status), `${operationId} ${status}`);
      assert.ok(section.includes('<code>curl '), operationId);
    }
  }
});

test('the markup is balanced and accessible to screen readers', () => {
  const open: string[] = [];
  for (const [, close, name] of page.matchAll(/<(\/?)([a-z][a-z0-9]*)\b[^>]*>/g)) {
    if (['meta', 'link'].includes(name!)) continue;
    if (close === '') open.push(name!);
    else assert.equal(open.pop(), name, `</${name}>`);
  }
  assert.deepEqual(open, []);
  assert.match(page, /<html lang="en">/);
  assert.match(page, /<main id="main">/);
  assert.match(page, /<nav aria-label=/);
  assert.doesNotMatch(page, /<th(?![^>]*scope=)[ >]/);
  assert.doesNotMatch(page, /undefined|\[object Object\]|NaN/);
});

test('the commands are valid shell, and one of them is executed', { skip: process.platform === 'win32' }, async () => {
  const unescaped = (text: string): string =>
    text.replaceAll(/&(quot|#39|lt|gt|amp);/g, (_, name: string) => {
      return { quot: '"', '#39': "'", lt: '<', gt: '>', amp: '&' }[name]!;
    });
  const commands = [...page.matchAll(/<pre tabindex="0"><code>(curl [^<]+)<\/code>/g)].map(([, text]) =>
    unescaped(text!),
  );
  assert.equal(commands.length, operations.length - Object.keys(document.webhooks).length);
  const checked = spawnSync('sh', ['-n'], { input: commands.join('\n') });
  assert.equal(checked.status, 0, checked.stderr.toString());
  // The shell passes the example body of the document to curl unchanged.
  const create = commands.find((command) => command.includes('-X POST "$PARLEY_URL/api/v1/contacts"'))!;
  const { stdout } = spawnSync('sh', ['-c', `curl() { for last; do :; done; printf %s "$last"; }; ${create}`]);
  const { requestBody } = document.paths['/api/v1/contacts']!['post'] as Operation;
  assert.deepEqual(JSON.parse(stdout.toString()), requestBody!.content['application/json']!.example);
  assert.equal((await server.post('/contacts/', stdout.toString())).status, 200);
});

test('text of the document is escaped, so it never becomes markup', () => {
  const evil = `<img src=x onerror="alert('1')">&`;
  assert.equal(html`<p title="${evil}">${[evil]}</p>`.markup.match(/<img/), null);
  assert.equal(prose(`\`${evil}\``).markup.match(/<img/), null);
  const hostile = JSON.parse(JSON.stringify(document)) as Document & { info: { summary: string } };
  hostile.info.summary = evil;
  for (const item of Object.values(hostile.paths)) {
    for (const operation of Object.values(item)) Object.assign(operation, { summary: evil, description: evil });
  }
  assert.doesNotMatch(docsPage(hostile), /<img/);
});
