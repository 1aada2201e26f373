import type { Queryable } from '../../../db/transaction.ts';
import type { DocumentFacts } from '../documents/document.ts';
import { passagesIn, type Portion } from '../../../search/index/portions.ts';
import { hasManyPassages, type DocumentPassages } from '../../../search/service.ts';

/** Portions that go in with the rest in one transaction. */
const fewPortions = 2;

export type Indexed = Pick<DocumentFacts, 'id' | 'orgId' | 'baseId' | 'version'>;

/** Whether passages go in at once with the rest of what is recorded of a document: few, in the place of few. */
export const areFew = async (
  db: Queryable,
  documentId: string | null,
  portions: readonly Portion[],
): Promise<boolean> =>
  portions.length <= fewPortions && (documentId === null || !(await hasManyPassages(db, documentId)));

/** What the search is told of a document. */
export const placed = (
  { orgId, baseId, id }: Indexed,
  title: string,
  portions: readonly Portion[],
): DocumentPassages => ({
  organizationId: orgId,
  knowledgeBaseId: baseId,
  documentId: id,
  title,
  passages: portions.flatMap(passagesIn),
});
