import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

/**
 * The number of statements per file that change rows without naming them by id, by a list of ids or by a LIMIT, and the reason why they
 * change few rows. A statement that changes a million rows blocks everything for seconds: do such work in batches (kernel/batch-job.ts).
 */
const known: Readonly<Record<string, readonly [count: number, bound: string]>> = {
  'features/calls/recordings/store.ts UPDATE call_recordings': [1, 'one call'],
  'features/agents/editions/store.ts UPDATE agent_editions': [1, 'one row'],
  'features/campaigns/contacts/store.ts DELETE campaign_zones': [1, 'one row per time zone'],
  'features/campaigns/dialing/retries-store.ts UPDATE campaign_contacts': [2, 'a batch of records'],
  'features/campaigns/stop/store.ts DELETE held_campaigns': [1, 'the running campaigns of an organization'],
  'features/campaigns/stop/store.ts UPDATE held_campaigns': [1, 'one campaign'],
  'features/catalog/store.ts DELETE llm_models': [1, 'the configured models'],
  'features/catalog/store.ts DELETE voices': [1, 'the configured voices'],
  'features/contacts/do-not-call-store.ts DELETE do_not_call': [1, 'one phone'],
  'features/contacts/import/kept-rows-store.ts DELETE import_rows': [1, 'one row'],
  'features/knowledge/crawl/crawl-store.ts DELETE knowledge_crawls': [1, 'rows of one source or host'],
  'features/knowledge/crawl/crawl-store.ts DELETE knowledge_hosts': [1, 'hosts that were asked an hour ago'],
  'features/knowledge/crawl/crawl-store.ts DELETE knowledge_robots': [1, 'rows of one source or host'],
  'features/knowledge/crawl/crawl-store.ts UPDATE knowledge_crawls': [3, 'rows of one source or host'],
  'features/knowledge/crawl/page-store.ts DELETE knowledge_pages': [
    1,
    'at most the pages of a site, which a setting bounds',
  ],
  'features/knowledge/crawl/page-store.ts UPDATE knowledge_pages': [
    2,
    'at most the pages of a site, which a setting bounds',
  ],
  'features/knowledge/documents/store.ts UPDATE knowledge_documents': [2, 'one document'],
  'features/knowledge/sources/file-store.ts DELETE knowledge_file_pieces': [
    2,
    'the pieces of one file, whose size is bounded',
  ],
  'features/numbers/carrier-pause-store.ts DELETE carrier_pauses': [1, 'rows of phone numbers'],
  'features/numbers/carrier-pause-store.ts UPDATE carrier_pauses': [3, 'rows of phone numbers'],
  'features/organizations/people/link-store.ts DELETE setup_links': [2, 'rows of one person'],
  'features/organizations/sessions/store.ts DELETE sessions': [2, 'rows of one person'],
  'features/requests/changes-store.ts DELETE audit_changes': [1, 'the recorded changes of one contact'],
  'features/requests/changes-store.ts DELETE imported_changes': [1, 'the recorded changes of one contact'],
  'features/requests/store.ts DELETE idempotency_keys': [1, 'one key'],
  'features/requests/store.ts UPDATE idempotency_keys': [1, 'one key'],
  'features/webhooks/secret-store.ts DELETE webhook_secrets': [1, 'one row per agent, at most'],
  'kernel/queue.ts DELETE outbox': [1, 'one job'],
  'search/contacts/pending.ts DELETE contact_search_pending': [1, 'a batch of records'],
  'search/contacts/postgres/contact-index.ts DELETE contact_search_trigrams': [1, 'one row'],
  'search/contacts/sqlite/contact-index.ts DELETE contact_search_trigrams': [1, 'one row'],
  'search/embeddings/pending.ts UPDATE retrieval_unembedded': [1, 'one passage'],
  'search/embeddings/vector-spaces.ts DELETE retrieval_unembedded': [
    1,
    'all passages without a vector, once after a change of the embeddings settings',
  ],
  'search/embeddings/vector-spaces.ts UPDATE retrieval_spaces': [1, 'one row'],
};

const changes = /\b(?:updateTable|deleteFrom)\('(\w+)(?: as \w+)?'\)|\b(?:UPDATE|DELETE FROM) (\w+)\b/g;
const bounds = /where\('(?:\w+\.)?id', '='|WHERE id = |listOf\(|LIMIT \$\{/;

function unboundedIn(file: string): string[] {
  const text = readFileSync(join('src', file), 'utf8');
  return [...text.matchAll(changes)].flatMap((match) => {
    const before = text.slice(text.lastIndexOf('\n', match.index) + 1, match.index);
    const isCommentOrUpsert = /^\s*(?:\*|\/\/|\/\*)|DO $/.test(before);
    const [statement = ''] = text.slice(match.index).split(';\n', 1);
    if (isCommentOrUpsert || bounds.test(statement)) return [];
    const verb = /^u/i.test(match[0]) ? 'UPDATE' : 'DELETE';
    return [`${file} ${verb} ${match[1] ?? match[2]}`];
  });
}

test('no statement that may change any number of rows is added unnoticed', () => {
  const files = globSync('{features,search,jobs,kernel,main}/**/*.ts', { cwd: 'src' }).toSorted();
  const found = Map.groupBy(files.flatMap(unboundedIn), (statement) => statement);
  assert.ok(files.length > 100, 'run the tests in the root of the repository');
  assert.deepEqual(
    Object.fromEntries([...found].map(([statement, { length }]) => [statement, length])),
    Object.fromEntries(Object.entries(known).map(([statement, [count]]) => [statement, count])),
  );
});
