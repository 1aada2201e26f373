import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { after, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import type { Document } from '../../src/http/docs/openapi-types.ts';
import type { RecordedExamples } from '../../src/http/docs/examples/recorded.ts';
import { html, prose } from '../../src/http/docs/html.ts';
import type { KeepSearchIndex } from '../../src/http/docs/guides/search.ts';
import { examplesPath, slugOf } from '../../src/http/docs/guides/source.ts';
import { groupHref } from '../../src/http/docs/page.ts';
import { createDocsSite } from '../../src/http/docs/site.ts';
import { guidesOfCheckout } from '../../src/main/guides.ts';
import { startTestServer } from '../support/server.ts';

const server = await startTestServer();
after(() => server.stop());
const get = async (path: string) => {
  const response = await fetch(`${server.url}${path}`);
  return { status: response.status, headers: response.headers, text: await response.text() };
};
const document = server.document as unknown as Document;
const operations = [...Object.values(document.paths), ...Object.values(document.webhooks)].flatMap((item) =>
  Object.values(item),
);
const home = (await get('/docs')).text;
const linksIn = (markup: string): string[] => [...markup.matchAll(/href="([^"]+)"/g)].map(([, target]) => target!);
const idsOf = (markup: string): string[] => [...markup.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id!);

/** Every page of the documentation, by path: all are linked from the navigation of the first one. */
const pages = new Map<string, string>([['/docs', home]]);
for (const path of linksIn(home).map((href) => href.split('#')[0]!))
  if (path.startsWith('/docs/') && !pages.has(path) && !/\.(?:css|js|svg)$/.test(path))
    pages.set(path, (await get(path)).text);
const reference = [...pages].filter(([path]) => path.startsWith('/docs/reference/')).map(([, text]) => text);
const page = reference.join('\n');

test('the pages are public HTML, and their policy allows their own script and stylesheet alone', async () => {
  for (const path of [
    '/docs',
    '/docs/',
    '/docs/search?q=retry',
    '/docs/guides/calling',
    '/docs/docs.css',
    '/docs/docs.js',
  ]) {
    const answer = await get(path);
    assert.equal(answer.status, 200, path);
    const policy = answer.headers.get('content-security-policy')!;
    assert.match(policy, /^default-src 'none'; style-src 'self'; script-src 'self';/);
    assert.doesNotMatch(policy, /unsafe|https?:|\*|data:/);
    assert.equal(answer.headers.get('x-content-type-options'), 'nosniff');
    assert.ok(answer.headers.get('x-request-id'));
  }
  assert.match((await get('/docs')).headers.get('content-type')!, /^text\/html; charset=utf-8/);
  assert.match((await get('/docs/docs.css')).headers.get('content-type')!, /^text\/css/);
  for (const path of ['/docs/guides/nowhere', '/docs/reference/nowhere', '/docs/guides/..%2fREADME'])
    assert.equal((await get(path)).status, 404, path);
});

test('no page has inline scripts or styles, or loads anything from other servers', async () => {
  for (const [path, text] of pages) {
    assert.doesNotMatch(
      text
        .replaceAll('<script src="/docs/docs.js" defer></script>', '')
        .replaceAll(/<img class="picture" src="\/docs\/pictures\/[a-z-]+\.svg" alt="[^"]+">/g, ''),
      /<script|<style|<[^>]*\s(?:style|on\w+)=|javascript:|<iframe|<object|<img|@import/i,
      path,
    );
    assert.doesNotMatch(text, /\ssrc="(?!\/docs\/docs\.js"|\/docs\/pictures\/)/, path);
  }
  assert.doesNotMatch((await get('/docs/docs.css')).text, /url\(|@import/);
  assert.match((await get('/docs/docs.css')).text, /prefers-color-scheme: dark/);
});

test('every operation and every named schema has a section, and every link leads somewhere', () => {
  const ids = idsOf(page);
  for (const { operationId } of operations) assert.ok(ids.includes(operationId), operationId);
  for (const name of Object.keys(document.components.schemas)) assert.ok(ids.includes(`schema-${name}`), name);
  for (const { operationId } of operations)
    assert.ok(home.includes(`#${operationId}"`), `${operationId} on the first page`);
  for (const [path, text] of pages) {
    const own = idsOf(text);
    assert.deepEqual(
      own.filter((id, index) => own.indexOf(id) !== index),
      [],
      path,
    );
    for (const href of linksIn(text)) {
      if (/^https:\/\/|^\/openapi\.json$|^\/docs\/docs\.css$|^\/docs\/pictures\/icon\.svg$/.test(href)) continue;
      const [target, anchor] = href.split('#');
      const at = target === '' ? text : pages.get(target!);
      assert.ok(at !== undefined, `${path} links to ${href}`);
      if (anchor !== undefined) assert.ok(idsOf(at).includes(anchor), `${path} links to ${href}`);
    }
  }
});

test('every page of docs/ is served as a guide, in the order of the table of contents', () => {
  const texts = guidesOfCheckout();
  const paths = Object.keys(texts).filter((path) => path !== 'README.md' && path.endsWith('.md'));
  assert.ok(paths.length > 20);
  for (const path of paths) assert.ok(pages.has(`/docs/guides/${slugOf(path)}`), path);
  const calling = pages.get('/docs/guides/calling')!;
  assert.match(calling, /<a rel="next" href="\/docs\/guides\/importing">/);
  assert.match(calling, /<a href="\/docs\/guides\/calling" aria-current="page">/);
});

test('a search finds sections and operations, also misspelt, and never makes markup of the question', async () => {
  const hrefs = async (query: string) =>
    linksIn((await get(`/docs/search?q=${encodeURIComponent(query)}`)).text.split('<ol class="found">')[1]!);
  assert.ok((await hrefs('rotate webhook secret')).includes('/docs/reference/webhooks#rotateWebhookSecret'));
  assert.ok((await hrefs('time zone')).some((href) => href.startsWith('/docs/guides/')));
  assert.ok((await hrefs('idempotncy')).length > 0);
  assert.deepEqual(
    (await hrefs('xyzzyplugh')).filter((href) => href.startsWith('/docs/guides')),
    [],
  );
  const hostile = (await get(`/docs/search?q=${encodeURIComponent('"><img src=x onerror=alert(1)>')}`)).text;
  assert.doesNotMatch(hostile, /<img/);
  assert.equal((await get(`/docs/search?q=${'a '.repeat(2000)}`)).status, 200);
  assert.equal((await get('/docs/search?q=a&q=b')).status, 200);
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

test('a page of the reference says what its codes mean, what counts without a value, and a search finds codes', async () => {
  const campaigns = pages.get('/docs/reference/campaigns')!;
  assert.match(campaigns, /<code>capped_day<\/code><\/th>\s*<td>The number was called as often as it may be in a day</);
  assert.match(campaigns, /at least 1. The default is <code>50<\/code>/);
  const found = (await get('/docs/search?q=capped_week')).text;
  assert.ok(linksIn(found).some((href) => href.startsWith('/docs/reference/') && href.includes('#codes-')));
});

test('the markup is balanced and accessible to screen readers', () => {
  for (const [path, text] of pages) {
    const open: string[] = [];
    for (const [, close, name] of text.matchAll(/<(\/?)([a-z][a-z0-9]*)\b[^>]*>/g)) {
      if (['meta', 'link', 'input', 'br', 'hr', 'img'].includes(name!)) continue;
      if (close === '') open.push(name!);
      else assert.equal(open.pop(), name, `${path}: </${name}>`);
    }
    assert.deepEqual(open, [], path);
    assert.match(text, /<html lang="en">/);
    assert.match(text, /<main id="main">/);
    assert.match(text, /<nav aria-label=/);
    assert.equal(text.split('<h1').length, 2, path);
    assert.doesNotMatch(text, /<th(?![^>]*scope=)[ >]/, path);
    assert.doesNotMatch(text, /\[object Object\]/, path);
  }
  assert.doesNotMatch(page, /undefined|NaN/);
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
  // The shell passes the body of the example to curl unchanged.
  const create = commands.find((command) => command.includes('-X POST "$PARLEY_URL/api/v1/contacts"'))!;
  const { stdout } = spawnSync('sh', ['-c', `curl() { for last; do :; done; printf %s "$last"; }; ${create}`]);
  const recorded = JSON.parse(guidesOfCheckout()[examplesPath]!) as RecordedExamples;
  assert.deepEqual(JSON.parse(stdout.toString()), recorded['createContact']!.body);
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
  const site = createDocsSite(hostile, {});
  for (const { name } of hostile.tags) assert.doesNotMatch(site.reference(groupHref(name).split('/').at(-1)!)!, /<img/);
  assert.doesNotMatch(site.home(), /<img/);
});

test('the pictures of the guides are served, with a policy that lets them do nothing', async () => {
  const used = new Set(
    [...pages.values()].flatMap((text) => [...text.matchAll(/ src="([^"]+\.svg)"/g)].map(([, path]) => path!)),
  );
  const drawn = Object.keys(guidesOfCheckout()).filter((path) => path.endsWith('.svg') && !path.endsWith('/icon.svg'));
  assert.deepEqual([...used].toSorted(), drawn.map((path) => `/docs/${path}`).toSorted());
  for (const path of used) {
    const { status, headers, text } = await get(path);
    assert.deepEqual([status, headers.get('content-type')], [200, 'image/svg+xml; charset=utf-8'], path);
    assert.match(headers.get('content-security-policy')!, /^default-src 'none'; style-src 'unsafe-inline'; sandbox;/);
    assert.match(text, /prefers-color-scheme: dark/);
    assert.doesNotMatch(text, /<script|href=|undefined|NaN/);
  }
  assert.equal((await get('/docs/pictures/nothing.svg')).status, 404);
  assert.equal((await get('/docs/pictures/..%2fREADME')).status, 404);
});

test('the first page is small, and the index of the search is read, not made, the second time', async () => {
  assert.ok(gzipSync(home).length <= 60_000, `${gzipSync(home).length} bytes`);
  const texts = guidesOfCheckout();
  let built = 0;
  const kept = new Map<string, string>();
  const keep: KeepSearchIndex = async (key, build) => {
    if (!kept.has(key)) kept.set(key, await build().finally(() => (built += 1)));
    return kept.get(key)!;
  };
  for (const _ of [1, 2]) {
    const site = createDocsSite(document, texts, keep);
    assert.match(await site.search('overnight'), /href="\/docs\/guides\/campaigns#overnight"/);
  }
  assert.equal(built, 1);
  await createDocsSite(document, { ...texts, 'README.md': `${texts['README.md']}\n` }, keep).search('overnight');
  assert.equal(built, 2, 'a changed page makes a new index');
});
