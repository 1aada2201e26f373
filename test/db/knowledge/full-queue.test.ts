import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AppError } from '../../../src/base/errors.ts';
import { knowledgeJobs } from '../../../src/features/knowledge/jobs.ts';
import { createBase, knowledgeBaseWithSources } from '../../../src/features/knowledge/bases/service.ts';
import { addSources } from '../../../src/features/knowledge/sources/service.ts';
import type { Extractor } from '../../../src/features/knowledge/reading/extractor.ts';
import { createExtractor } from '../../../src/features/knowledge/reading/pool.ts';
import { createTestApp } from '../../support/app.ts';
import { aPage, aSite } from '../../support/knowledge.ts';

test('a text and a page wait as long as the queue of the extractor is full', async (t) => {
  const site = await aSite({ '/robots.txt': { body: 'User-agent: *\nCrawl-delay: 10' }, '/': aPage('Start', 'It.') });
  let reading: Extractor | undefined;
  let refusals = 0;
  let isFull = true;
  const testing = await createTestApp({
    settings: { 'outbound.allow_networks': '["127.0.0.1/32"]' },
    jobs: (config) => {
      const extractor = (reading = createExtractor(config.knowledge.extraction));
      return knowledgeJobs(config, {
        ...extractor,
        extract(orgId, input, signal) {
          if (!isFull) return extractor.extract(orgId, input, signal);
          refusals += 1;
          return Promise.reject(new AppError('unavailable', 'Too many documents are waiting to be read.'));
        },
      });
    },
  });
  const { app, clock, runner } = testing;
  t.after(async () => {
    await testing.close();
    await reading!.close();
    await site.stop();
  });
  const orgId = app.ids.make();
  await app.db.insertInto('organizations').values({ id: orgId, name: 'Acme', created_at: 0 }).execute();
  const { base } = await createBase(app, orgId, { name: 'Base', enableAutoRefresh: false });
  const input = { knowledge_base_texts: [{ title: 'T', text: 'A text.' }], knowledge_base_urls: [site.origin] };
  await addSources(app, orgId, base.id, input);
  const runDueJobs = async (): Promise<string[]> => {
    for (let dueAt = await runner.settled(); dueAt !== undefined && dueAt <= clock.now() + 150_000;) {
      clock.set(dueAt);
      dueAt = await runner.settled();
      if (isFull) break;
    }
    return (await knowledgeBaseWithSources(app.db, orgId, base.id)).sources.map(({ status }) => status);
  };
  for (let round = 0; round < 10; round += 1) {
    const statuses = await runDueJobs();
    assert.ok(!statuses.includes('error') && !statuses.includes('complete'), statuses.join());
  }
  assert.ok(refusals >= 10, `${refusals} refusals`);
  isFull = false;
  assert.deepEqual(await runDueJobs(), ['complete', 'complete']);
});
