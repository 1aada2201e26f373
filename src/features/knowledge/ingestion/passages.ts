import type { Queryable } from '../../../db/transaction.ts';
import type { DocumentWithoutText } from '../documents/document.ts';
import { passagesIn, type Portion } from '../../../search/index/portions.ts';
import { hasManyPassages, type DocumentPassages } from '../../../search/service.ts';

/** A document with more portions is written in the background. */
const maxPortionsPerTransaction = 2;

export type Indexed = Pick<DocumentWithoutText, 'id' | 'orgId' | 'baseId' | 'version'>;

/** Whether replacing a document's passages is quick enough for one transaction: few new ones, and few to delete. */
export const fitOneTransaction = async (
  db: Queryable,
  documentId: string | null,
  portions: readonly Portion[],
): Promise<boolean> =>
  portions.length <= maxPortionsPerTransaction && (documentId === null || !(await hasManyPassages(db, documentId)));

/** A document in the form in which the search index takes its passages. */
export const searchDocument = (
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
