import { type Selectable } from 'kysely';
import { JsonObject } from '../../../base/json.ts';
import { readPage } from '../../../db/pages.ts';
import { insertInto, prepared, sent, updateById } from '../../../db/prepared.ts';
import { listOf } from '../../../db/sql.ts';
import type { KnowledgeDocumentsTable, KnowledgeSourcesTable } from '../../../db/schema.generated.ts';
import type { Queryable, Tx } from '../../../db/transaction.ts';
import { type Page, type Paged, pagedOf } from '../../../kernel/paging.ts';
import type { Document, DocumentWithoutText } from './document.ts';

type DocumentRow = Selectable<KnowledgeDocumentsTable> & {
  source_type: Selectable<KnowledgeSourcesTable>['type'];
  source_url: string | null;
};

type RowWithoutText = Omit<DocumentRow, 'content_hash' | 'removed_at'>;

const toDocumentWithoutText = (row: RowWithoutText): DocumentWithoutText => ({
  id: row.id,
  orgId: row.organization_id,
  baseId: row.knowledge_base_id,
  sourceId: row.source_id,
  sourceType: row.source_type,
  docId: row.doc_id,
  name: row.name,
  url: row.source_type === 'document' ? row.source_url : row.url,
  metadata: new JsonObject(row.metadata),
  status: row.status,
  error: row.error,
  version: row.version,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});

const toDocument = ({ text, ...row }: RowWithoutText & { text: string | null }): Document => ({
  ...toDocumentWithoutText(row),
  text,
});

const insertRow = insertInto('knowledge_documents');

export async function insertDocument(tx: Tx, document: Document, contentHash: string | null = null): Promise<void> {
  await insertRow(tx, {
    id: document.id,
    organization_id: document.orgId,
    knowledge_base_id: document.baseId,
    source_id: document.sourceId,
    doc_id: document.docId,
    name: document.name,
    url: document.url,
    metadata: document.metadata.text,
    status: document.status,
    error: document.error,
    version: document.version,
    content_hash: contentHash,
    created_at: document.createdAt,
    updated_at: document.updatedAt,
    removed_at: null,
  });
  if (document.text !== null) await storeText(tx, document.id, document.text);
}

const upsertText = sent((db, p: { id: string; text: string }) =>
  db
    .insertInto('knowledge_texts')
    .values({ document_id: p.id, text: p.text })
    .onConflict((conflict) => conflict.column('document_id').doUpdateSet({ text: p.text })),
);

/** Sets or replaces a document's text. */
export async function storeText(tx: Tx, id: string, text: string): Promise<void> {
  await upsertText(tx, { id, text });
}

const textById = prepared((db, p: { id: string }) =>
  db.selectFrom('knowledge_texts').select('text').where('document_id', '=', p.id),
);

/** A document's text; null if it has none yet. */
export const findText = async (db: Queryable, id: string): Promise<string | null> =>
  (await textById(db, { id })).rows[0]?.text ?? null;

export const hasText = async (db: Queryable, id: string): Promise<boolean> =>
  (await db.selectFrom('knowledge_texts').select('document_id').where('document_id', '=', id).execute()).length > 0;

export type DocumentChanges = Partial<
  Pick<Document, 'name' | 'url' | 'text' | 'metadata' | 'status' | 'error' | 'version' | 'updatedAt'>
> & { contentHash?: string | null };

const updateRow = updateById('knowledge_documents');

export async function updateDocument(tx: Tx, id: string, changes: DocumentChanges): Promise<void> {
  const { metadata, updatedAt, contentHash, text, ...same } = changes;
  if (typeof text === 'string') await storeText(tx, id, text);
  await updateRow(tx, id, {
    ...same,
    ...(metadata === undefined ? {} : { metadata: metadata.text }),
    ...(updatedAt === undefined ? {} : { updated_at: updatedAt }),
    ...(contentHash === undefined ? {} : { content_hash: contentHash }),
  });
}

/** Documents that were not removed, neither by themselves nor with their base. */
const presentDocuments = (db: Queryable) =>
  db
    .selectFrom('knowledge_documents as document')
    .innerJoin('knowledge_bases as base', 'base.id', 'document.knowledge_base_id')
    .innerJoin('knowledge_sources as source', 'source.id', 'document.source_id')
    .where('document.removed_at', 'is', null)
    .where('base.removed_at', 'is', null);

const withText = (db: Queryable) =>
  presentDocuments(db).leftJoin('knowledge_texts as content', 'content.document_id', 'document.id');

const columnsWithoutText = [
  'document.id',
  'document.organization_id',
  'document.knowledge_base_id',
  'document.source_id',
  'source.type as source_type',
  'source.url as source_url',
  'document.doc_id',
  'document.name',
  'document.url',
  'document.metadata',
  'document.status',
  'document.error',
  'document.version',
  'document.created_at',
  'document.updated_at',
] as const;

const rowById = prepared((db, p: { id: string }) =>
  presentDocuments(db).select(columnsWithoutText).where('document.id', '=', p.id),
);

export async function findDocument(db: Queryable, id: string): Promise<DocumentWithoutText | undefined> {
  const [row] = (await rowById(db, { id })).rows;
  return row && toDocumentWithoutText(row);
}

const versionById = prepared((db, p: { id: string }) =>
  presentDocuments(db).select('document.version').where('document.id', '=', p.id),
);

/** A document's version; undefined if it was removed. Cheap enough to check before every batch of passages. */
export const findVersion = async (db: Queryable, id: string): Promise<number | undefined> =>
  (await versionById(db, { id })).rows[0]?.version;

const selectFindable = prepared((db, p: { ids: readonly string[] }) =>
  db
    .selectFrom('knowledge_documents')
    .select('id')
    .where('id', 'in', listOf(p.ids))
    .where('removed_at', 'is', null)
    .where((eb) => eb.or([eb('status', '!=', 'error'), eb('content_hash', 'is not', null)])),
);

/** Of the given documents, those that a search may find: neither removed nor failed without an earlier text. */
export async function findableDocuments(db: Queryable, ids: readonly string[]): Promise<Set<string>> {
  return new Set((await selectFindable(db, { ids })).rows.map(({ id }) => id));
}

const failedById = prepared((db, p: { id: string }) =>
  presentDocuments(db).select('document.id').where('document.id', '=', p.id).where('document.status', '=', 'error'),
);

export const hasFailed = async (db: Queryable, id: string): Promise<boolean> =>
  (await failedById(db, { id })).rows.length > 0;

export async function findByDocId(db: Queryable, orgId: string, docId: string): Promise<Document | undefined> {
  const row = await withText(db)
    .select([...columnsWithoutText, 'content.text'])
    .where('document.organization_id', '=', orgId)
    .where('document.doc_id', '=', docId)
    .executeTakeFirst();
  return row && toDocument(row);
}

/**
 * The documents of one base or of all, newest first. `text` is the beginning of each text, which triggers store
 * (sql/sqlite/0001_baseline.sql).
 */
export async function listDocuments(
  db: Queryable,
  orgId: string,
  { baseId, page, total }: { baseId: string | undefined; page: Page; total: number },
): Promise<Paged<Document>> {
  const documents = presentDocuments(db)
    .leftJoin('knowledge_excerpts as content', 'content.document_id', 'document.id')
    .select([...columnsWithoutText, 'content.excerpt as text'])
    .where('document.organization_id', '=', orgId)
    .$if(baseId !== undefined, (query) => query.where('document.knowledge_base_id', '=', baseId!))
    .orderBy('document.id', 'desc');
  return pagedOf(await readPage(db, documents, total, page), toDocument);
}

/** Where a passage is from. The URL is the one its current text was fetched from. */
export type Citation = { docId: string; sourceId: string; name: string; url: string | null };

export async function citationsOf(db: Queryable, ids: readonly string[]): Promise<Map<string, Citation>> {
  if (ids.length === 0) return new Map();
  const rows = await presentDocuments(db)
    .select(['document.id', 'document.doc_id', 'document.source_id', 'document.name', 'document.url'])
    .where('document.id', 'in', [...new Set(ids)])
    .execute();
  return new Map(
    rows.map((row) => [row.id, { docId: row.doc_id, sourceId: row.source_id, name: row.name, url: row.url }]),
  );
}

export async function contentHashOf(db: Queryable, id: string): Promise<string | null> {
  const row = await db.selectFrom('knowledge_documents').select('content_hash').where('id', '=', id).executeTakeFirst();
  return row?.content_hash ?? null;
}

/** Frees a `doc_id` held by a document of a removed base whose rows are not deleted yet. */
export async function releaseDocId(tx: Tx, orgId: string, docId: string, now: number): Promise<void> {
  await tx
    .updateTable('knowledge_documents')
    .set({ removed_at: now })
    .where('organization_id', '=', orgId)
    .where('doc_id', '=', docId)
    .where('removed_at', 'is', null)
    .where('knowledge_base_id', 'in', (query) =>
      query.selectFrom('knowledge_bases').select('id').where('removed_at', 'is not', null),
    )
    .execute();
}

export async function markDocumentRemoved(tx: Tx, id: string, now: number): Promise<void> {
  await updateRow(tx, id, { removed_at: now });
}

/** @returns the number of documents marked */
export async function markDocumentsOfSourceRemoved(tx: Tx, sourceId: string, now: number): Promise<number> {
  const { numUpdatedRows } = await tx
    .updateTable('knowledge_documents')
    .set({ removed_at: now })
    .where('source_id', '=', sourceId)
    .where('removed_at', 'is', null)
    .executeTakeFirstOrThrow();
  return Number(numUpdatedRows);
}

/** The first document of a base or source that is being deleted, or the document itself. */
export async function firstDocumentId(
  tx: Tx,
  of: 'knowledge_base_id' | 'source_id' | 'id',
  id: string,
): Promise<string | undefined> {
  const row = await tx
    .selectFrom('knowledge_documents')
    .select('id')
    .where(of, '=', id)
    .orderBy('id')
    .executeTakeFirst();
  return row?.id;
}

export async function deleteDocument(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('knowledge_documents').where('id', '=', id).execute();
}
