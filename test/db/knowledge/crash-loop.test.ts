import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { transact } from '../../../src/db/transaction.ts';
import * as sources from '../../../src/features/knowledge/sources/service.ts';
import {
  aBase,
  addSources,
  aPage,
  aSite,
  assertComplete,
  documentsOf,
  settled,
  startKnowledgeServer,
} from '../../support/knowledge.ts';

const server = await startKnowledgeServer();
const site = await aSite({ '/': aPage('Start', 'The start.') });
after(async () => {
  await server.stop();
  await site.stop();
});

/** Adds sources, and sets how often their jobs were already claimed and started by processes that crashed. */
const addWith = (id: string, input: sources.SourcesInput, past: { attempt: number; starts: number }) =>
  transact(server.running.app.db, server.orgId, async (tx) => {
    await sources.addSources(server.running.app, server.orgId, id, input);
    await tx
      .updateTable('outbox')
      .set(past)
      .where('kind', 'in', ['knowledge.ingest', 'knowledge.crawl'])
      .where('lease_until', 'is', null)
      .execute();
  });

const text = { title: 'Text', text: 'What the text says.' };

test('a job that was claimed but never started by crashed processes still runs', async () => {
  const id = await aBase(server);
  const input = { knowledge_base_texts: [text], knowledge_base_urls: [site.origin] };
  await addWith(id, input, { attempt: 20, starts: 0 });
  const base = await settled(server, id);
  assertComplete(base);
  assert.deepEqual(
    base.knowledge_base_sources.map(({ source_status }) => source_status),
    ['complete', 'complete'],
  );
});

test('starts are recorded from the second claim on', async () => {
  const id = await aBase(server);
  const { db } = server.running.app;
  const starts: number[] = [];
  site.pages['/robots.txt'] = async (_request, response) => {
    const job = await db.selectFrom('outbox').select('starts').where('kind', '=', 'knowledge.crawl').executeTakeFirst();
    starts.push(job!.starts);
    response.writeHead(404).end();
  };
  for (const attempt of [0, 1]) {
    await addWith(id, { knowledge_base_urls: [site.origin] }, { attempt, starts: 0 });
    assertComplete(await settled(server, id));
  }
  assert.deepEqual(starts, [0, 1]);
  delete site.pages['/robots.txt'];
});

test('a document that crashed the process at every start is given up with an error', async () => {
  const id = await aBase(server);
  await addWith(id, { knowledge_base_texts: [text] }, { attempt: 5, starts: 4 });
  const base = await settled(server, id);
  assert.equal(base.status, 'error');
  assert.match(base.knowledge_base_sources[0]!.error!, /Internal error/);
  assert.equal((await documentsOf(server, id))[0]!.status, 'error');
});

test('a robots.txt that crashed the process at every start forbids the site until it is added again', async () => {
  const id = await aBase(server);
  await addWith(id, { knowledge_base_urls: [site.origin] }, { attempt: 5, starts: 4 });
  const base = await settled(server, id);
  assert.equal(base.status, 'error');
  assert.match(base.url_sources[0]!.error!, /robots\.txt.*Internal error/);
  await addSources(server, id, { knowledge_base_urls: [site.origin] });
  assertComplete(await settled(server, id));
});
