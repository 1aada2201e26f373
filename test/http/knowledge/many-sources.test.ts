import assert from 'node:assert/strict';
import { failsFirstCommits } from '../../support/first-commits.ts';
import { after, test } from 'node:test';
import { sql } from 'kysely';
import { transact } from '../../../src/db/transaction.ts';
import { topicOf } from '../../../src/features/live/topics.ts';
import { wrongNumbers } from '../../../src/main/kept-numbers.ts';
import {
  aBase,
  addSources,
  type Base,
  settled,
  type Source,
  startKnowledgeServer,
  theBase,
} from '../../support/knowledge.ts';
import { hexOf, numbersTo } from '../../support/both-stores.ts';
import { planOf, recordStatements } from '../../support/plans.ts';
import { dataOf, faultPaths } from '../../support/server.ts';
import { onSqlite } from '../../support/store.ts';

const server = await startKnowledgeServer();
after(() => server.stop());
const { app } = server.running;

/** Adds sources that are older than all others: a site, a failed file, and texts. Their ids end with their number. */
const addOldSources = (baseId: string, count: number): Promise<unknown> =>
  transact(app.db, server.orgId, (tx) =>
    sql`${numbersTo(count)} INSERT INTO knowledge_sources (id, organization_id, knowledge_base_id, type, name, url, status, error, created_at, updated_at)
      SELECT substr(${baseId}, 1, 24) || ${hexOf(sql`n`, 12)}, ${server.orgId}, ${baseId},
        CASE n WHEN 0 THEN 'url' WHEN 1 THEN 'file' ELSE 'text' END, 'Old ' || n, CASE WHEN n = 0 THEN 'http://127.0.0.1:9/' END,
        CASE WHEN n = 1 THEN 'error' ELSE 'complete' END, CASE WHEN n = 1 THEN 'It is no document.' END, 0, 0 FROM numbers`.execute(
      tx,
    ),
  );

/** Ids sort by time, so a base's sources have to be older than those that requests add. */
async function aBaseWith(count: number): Promise<string> {
  const id = await aBase(server);
  await addOldSources(id, count);
  return id;
}

const idsOf = (sources: readonly Source[]): string[] => sources.map(({ source_id: id }) => id);
const sourcesOf = (id: string, query: string) => server.get<Source[]>(`/rag/knowledge-base/${id}/sources?${query}`);

async function walk(id: string, filter = ''): Promise<Source[]> {
  const all: Source[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const { body } = await sourcesOf(id, `${filter}&limit=500&after=${cursor}`);
    assert.ok(body.data.length <= 500);
    all.push(...body.data);
    cursor = body.meta.next ?? null;
  }
  return all;
}

test('answers about a base show its newest 1,000 sources and count all; the list pages through all of them', async () => {
  const id = await aBaseWith(1150);
  const texts = (from: number) =>
    Array.from({ length: 50 }, (_, index) => ({ title: `New ${from + index}`, text: `Text number ${from + index}.` }));
  await addSources(server, id, { knowledge_base_texts: texts(0) });
  const { knowledge_base: added } = await addSources(server, id, { knowledge_base_texts: texts(50) });
  const base = await settled(server, id);
  const changed = dataOf(await server.patch<Base>(`/rag/knowledge-base/${id}`, { name: 'Many' }));
  for (const shown of [added, base, changed]) assert.equal(shown.knowledge_base_sources.length, 1000);
  assert.deepEqual([base.source_count, changed.source_count], [1250, 1250]);
  const listed = await walk(id);
  assert.equal(listed.length, 1250);
  assert.equal(listed[0]!.source_name, 'New 99');
  assert.deepEqual(idsOf(listed), idsOf(listed).toSorted().toReversed(), 'newest first');
  const newest = listed.slice(0, 1000).toReversed();
  assert.deepEqual(base.knowledge_base_sources, newest, 'oldest first');
  // The site is not among the newest sources.
  assert.deepEqual(
    base.url_sources.map(({ url }) => url),
    ['http://127.0.0.1:9/'],
  );
  const live = (await topicOf(app, server.orgId, `knowledge:${id}`).read()) as { sources: unknown[] };
  assert.equal(live.sources.length, 1000);
  assert.deepEqual({ ...live, sources: undefined }, { status: 'complete', source_count: 1250, sources: undefined });
  const again = await addSources(server, id, { knowledge_base_urls: ['http://127.0.0.1:9/'] });
  assert.deepEqual(
    again.url_sources.map(({ source_id: source }) => source),
    [base.url_sources[0]!.source_id],
  );
});

test('sources are listed by status and by type, with their total', async () => {
  const id = await aBaseWith(60);
  const all = await walk(id);
  for (const [query, matches] of [
    ['status=complete', ({ source_status: status }: Source) => status === 'complete'],
    ['status=error', ({ source_status: status }: Source) => status === 'error'],
    ['status=pending', () => false],
    ['source_type=text', ({ source_type: type }: Source) => type === 'text'],
    ['source_type=document', () => false],
    ['source_type=file&status=error', ({ source_type: type }: Source) => type === 'file'],
    ['source_type=url&status=error', () => false],
  ] as const) {
    const expected = all.filter(matches);
    assert.deepEqual(idsOf(await walk(id, query)), idsOf(expected), query);
    const { data, meta } = (await sourcesOf(id, `${query}&limit=7&offset=3`)).body;
    assert.deepEqual(idsOf(data), idsOf(expected).slice(3, 10), query);
    assert.equal(meta.total, expected.length, query);
  }
  const found = (await sourcesOf(id, 'status=error')).body.data;
  assert.deepEqual(
    found.map(({ source_name: name, error }) => [name, error]),
    [['Old 1', 'It is no document.']],
  );
  assert.deepEqual(faultPaths(await sourcesOf(id, 'status=failed&source_type=pdf&q=x')), [
    'q',
    'source_type',
    'status',
  ]);
  assert.equal((await (await server.newOrganization()).get(`/rag/knowledge-base/${id}/sources`)).status, 404);
});

test('the status of a base counts sources that its answer does not show', async () => {
  const id = await aBaseWith(1002);
  const [site, file] = (await walk(id)).toReversed();
  const set = (source: Source, status: string) =>
    transact(app.db, server.orgId, (tx) =>
      sql`UPDATE knowledge_sources SET status = ${status} WHERE id = ${source.source_id}`.execute(tx),
    );
  const statusNow = async (): Promise<string> => (await theBase(server, id)).status;
  assert.equal(await statusNow(), 'complete');
  await set(site!, 'processing');
  assert.equal(await statusNow(), 'in_progress');
  await set(site!, 'error');
  assert.equal(await statusNow(), 'complete');
  dataOf(await server.del(`/rag/knowledge-base/${id}/sources/${file!.source_id}`));
  assert.equal((await theBase(server, id)).source_count, 1001);
  const failing = async () =>
    dataOf(await server.get<Array<{ id: string }>>(`/rag/knowledgebases?org_id=${server.orgId}&failing=true`));
  assert.ok((await failing()).some((base) => base.id === id));
  dataOf(await server.del(`/rag/knowledge-base/${id}/sources/${site!.source_id}`));
  assert.ok(!(await failing()).some((base) => base.id === id));
  await settled(server, id);
  assert.deepEqual(await wrongNumbers(app.db), []);
});

test(
  'an answer about a base reads as many rows with 1,100 sources as with 4,000',
  { skip: failsFirstCommits && 'counts each statement once' },
  async (t) => {
    const bases = [await aBaseWith(1100), await aBaseWith(4000)];
    const statements = await recordStatements(t, app.db);
    for (const [path, method] of [
      ['', 'get'],
      ['', 'patch'],
      ['/sources?limit=20', 'get'],
      ['/sources?limit=20&source_type=text', 'get'],
    ] as const) {
      const read: number[] = [];
      for (const id of bases) {
        statements.length = 0;
        const url = `/rag/knowledge-base/${id}${path}`;
        dataOf(await (method === 'get' ? server.get(url) : server.patch(url, { name: 'Many' })));
        const recorded = statements.filter(({ sql: text }) => /knowledge_/.test(text));
        read.push(recorded.reduce((sum, { rows }) => sum + rows, 0));
        const inOrder = onSqlite ? recorded.filter(({ sql: text }) => text.includes('ORDER BY source.id')) : [];
        for (const statement of inOrder) {
          const steps = await planOf(app.db, statement);
          assert.ok(!steps.some((step) => /TEMP B-TREE|SCAN (?:source|crawl|knowledge)/.test(step)), steps.join('\n'));
        }
      }
      assert.equal(read[0], read[1], path);
      assert.ok(read[0]! > 0 && read[0]! < 1100, `${path}: ${read[0]}`);
    }
  },
);
