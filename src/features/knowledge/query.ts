import type { App } from '../../kernel/app.ts';
import type { Static } from '../../kernel/schema.ts';
import { search, searchTask } from '../../search/service.ts';
import { citationsOf, findableDocuments } from './documents/store.ts';
import type { passageSchema } from './wire.ts';

/** A passage of an answer, as the API shows it. */
export type Passage = Static<typeof passageSchema>;

const defaultPassages = 5;

export const searchPassages = searchTask(findableDocuments);

/**
 * Finds the passages that best answer a question, best first, and adds their citations. The caller has checked access to the bases.
 * @throws unavailable when too many questions of the organization are waiting, or the server stops
 */
export async function queryKnowledge(
  app: App,
  orgId: string,
  baseIds: readonly string[],
  query: string,
  limit: number = defaultPassages,
): Promise<Passage[]> {
  const found = await search(app, searchPassages, orgId, { knowledgeBaseIds: baseIds, query, limit });
  const ids = found.map(({ documentId }) => documentId);
  const citations = await citationsOf(app.db, ids);
  return found.flatMap(({ documentId, text, score, heading, page, highlights }) => {
    const citation = citations.get(documentId);
    if (!citation) return []; // removed since the search
    const { sourceId, name, docId, url } = citation;
    return [
      {
        text,
        highlights: highlights.map((span) => [...span]),
        score,
        source_id: sourceId,
        source_name: name,
        doc_id: docId,
        url,
        heading,
        page,
      },
    ];
  });
}
