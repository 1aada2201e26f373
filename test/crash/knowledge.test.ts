import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { aPage, aSite, type Base } from '../support/knowledge.ts';
import { inspect } from './invariants.ts';
import { apiKey, createKillableServer } from './server.ts';
import { until, within } from './waiting.ts';

/** Long enough to read everything on a very busy machine. */
const limitMs = 60_000;

const links = Array.from({ length: 10 }, (_, index) => `/${index}`);
const texts = Array.from({ length: 6 }, (_, index) => ({
  title: `Text ${index}`,
  text: `This is the text number ${index}.`,
}));
/** A document with enough text for several transactions. */
const sections = Array.from(
  { length: 300 },
  (_, index) => `## Part ${index}\n\nWhat part ${index} says, ${'at length '.repeat(40)}.`,
);

test('SIGKILL: all added sources are read exactly once after any crash, and pages that were read are not fetched again', async (t) => {
  const site = await aSite({
    '/robots.txt': () => undefined, // the first two server processes get no answer
    '/': aPage('Start', sections.join('</p><p>'), links),
    ...Object.fromEntries(links.map((link) => [link, aPage(`Page ${link}`, `This is the page ${link} of the site.`)])),
  });
  const directory = mkdtempSync(join(tmpdir(), 'parley-crash-'));
  const server = createKillableServer(directory, { 'outbound.allow_networks': '["127.0.0.1/32"]' });
  t.after(async () => {
    await server.kill();
    await site.stop();
    rmSync(directory, { recursive: true, force: true });
  });
  const send = async <D>(method: string, path: string, body?: object): Promise<D> => {
    const { url } = await server.address();
    const isForm = body instanceof FormData;
    const response = await fetch(`${url}/api/v1/rag${path}`, {
      method,
      headers: { 'x-api-key': apiKey, ...(isForm ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    assert.equal(response.status, 200, text);
    return (JSON.parse(text) as { data: D }).data;
  };

  const crashAtPoint = async (crashAt: string): Promise<void> => {
    await server.start({ crashAt });
    await within(limitMs, `the crash at ${crashAt}`, server.gone());
    inspect(server.data, { simulated: true, written: [] });
  };

  // The third request is committed but never answered.
  assert.equal(await server.start({ crashAt: 'request.committed:3' }), 'ready', server.log());
  const { knowledge_base_id: id } = await send<Base>('POST', '/knowledgebases', { name: 'Help centre' });
  const form = new FormData();
  form.append('file', new File([sections.join('\n\n')], 'long.md'));
  await send('POST', `/knowledge-base/${id}/add-sources`, form);
  const sources = { knowledge_base_texts: texts, knowledge_base_urls: [`${site.origin}/`] };
  await assert.rejects(send('POST', `/knowledge-base/${id}/add-sources`, sources), 'it died before it answered');
  await server.gone();
  await crashAtPoint('ingestion.unrecorded:3');
  site.pages['/robots.txt'] = { status: 404 };
  await crashAtPoint('page.unrecorded:6');

  await server.start();
  let base: Base | undefined;
  await until(limitMs, 'everything is read', async () => {
    base = await send<Base>('GET', `/knowledge-base/${id}`);
    return base.status !== 'in_progress';
  });
  assert.deepEqual(
    base!.knowledge_base_sources.map(({ source_name, source_status, error }) => [source_name, source_status, error]),
    ['long.md', ...texts.map(({ title }) => title), 'Start'].map((name) => [name, 'complete', null]),
  );
  assert.equal(base!.url_sources[0]!.pages_found, 11);
  const fetches = ['/', ...links].map((path) => site.asked.filter((each) => each === path).length);
  assert.ok(Math.max(...fetches) <= 2, 'a page is fetched again only if a crash lost its content');
  assert.ok(fetches.filter((times) => times === 2).length <= 6, `${fetches.join()} times`);
  assert.equal((await server.stop()).code, 0);
  inspect(server.data, { simulated: true, written: [], done: true });
});
