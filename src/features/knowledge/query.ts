import type { App } from '../../kernel/app.ts';
import type { Static } from '../../kernel/schema.ts';
import { citationsOf } from './documents/store.ts';
import { search } from '../../search/service.ts';
import type { passageSchema } from './wire.ts';

/** As it stands on the wire. */
export type Passage = Static<typeof passageSchema>;

const defaultPassages = 5;

/** The passages of some bases that answer a question best, each with where it is from. The bases are the caller's own. */
export async function ask(
  app: App,
  orgId: string,
  baseIds: readonly string[],
  query: string,
  limit: number = defaultPassages,
): Promise<Passage[]> {
  const found = await search(app, orgId, { knowledgeBaseIds: baseIds, query, limit });
  const ids = found.map(({ documentId }) => documentId);
  const citations = await citationsOf(app.db, ids);
  return found.flatMap(({ documentId, text, score, heading, page }) => {
    const citation = citations.get(documentId);
    if (!citation) return []; // removed between the search and here
    const { sourceId, name, docId, url } = citation;
    return [{ text, score, source_id: sourceId, source_name: name, doc_id: docId, url, heading, page }];
  });
}
