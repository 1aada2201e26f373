import { installation, transact } from '../../src/db/transaction.ts';
import { embeddingBackfill, embeddingJobs, embeddingPruning } from '../../src/search/embeddings/jobs.ts';
import { addPassages, deleteBaseBatch, deletePassageBatch, replacePassages, search } from '../../src/search/service.ts';
import { searchPassages } from '../../src/features/knowledge/query.ts';
import { passagesOf } from '../../src/search/index/passage.ts';
import { chunkBlocks } from '../../src/extraction/chunking/chunker.ts';
import type { Chunk } from '../../src/extraction/model.ts';
import { createTestApp, type TestApp, type TestAppOptions } from './app.ts';

type Document = { title: string; chunks?: readonly Chunk[]; text?: string; id?: string };

/** Knowledge bases whose documents are written directly, without ingestion and crawls, to test search alone. */
export type Library = TestApp & {
  createOrganization(): Promise<string>;
  /** Creates a knowledge base, in the first organization unless another one is named. */
  createBase(organizationId?: string): Promise<string>;
  /** Adds a document, or replaces the one with that id, and returns its id. */
  put(knowledgeBaseId: string, document: Document): Promise<string>;
  /** Adds passages to an existing document. */
  add(knowledgeBaseId: string, documentId: string, title: string, chunks: readonly Chunk[]): Promise<void>;
  remove(documentId: string): Promise<void>;
  removeBase(knowledgeBaseId: string): Promise<void>;
  ask(knowledgeBaseId: string | readonly string[], query: string, limit?: number): ReturnType<typeof search>;
};

export async function openLibrary(options: TestAppOptions = {}): Promise<Library> {
  const testApp = await createTestApp({ jobs: embeddingJobs, ...options });
  const { app } = testApp;
  await embeddingBackfill.schedule(app);
  await embeddingPruning.schedule(app);
  const owners = new Map<string, { organizationId: string; sourceId: string }>();
  const createOrganization = async (): Promise<string> => {
    const id = app.ids.make();
    await app.db.insertInto('organizations').values({ id, name: 'Acme', created_at: 0 }).execute();
    return id;
  };
  let firstOrganization: string | undefined;
  const stamps = { created_at: 0, updated_at: 0 };

  async function createBase(ownerId?: string): Promise<string> {
    const organizationId = ownerId ?? (firstOrganization ??= await createOrganization());
    const [id, sourceId] = [app.ids.make(), app.ids.make()];
    const owner = { organization_id: organizationId };
    await app.db
      .insertInto('knowledge_bases')
      .values({ id, ...owner, name: 'Base', enable_auto_refresh: 0, ...stamps })
      .execute();
    await app.db
      .insertInto('knowledge_sources')
      .values({
        id: sourceId,
        ...owner,
        knowledge_base_id: id,
        type: 'text',
        name: 'Texts',
        status: 'complete',
        ...stamps,
      })
      .execute();
    owners.set(id, { organizationId, sourceId });
    return id;
  }

  return {
    ...testApp,
    createOrganization,
    createBase,
    async put(knowledgeBaseId, { title, text = '', chunks, id = app.ids.make() }) {
      const { organizationId, sourceId } = owners.get(knowledgeBaseId)!;
      await transact(app.db, installation, async (tx) => {
        await tx
          .insertInto('knowledge_documents')
          .values({
            id,
            organization_id: organizationId,
            knowledge_base_id: knowledgeBaseId,
            source_id: sourceId,
            doc_id: id,
            name: title,
            status: 'complete',
            ...stamps,
          })
          .onConflict((conflict) => conflict.column('id').doUpdateSet({ name: title }))
          .execute();
        const passages = [...passagesOf(chunks ?? chunkBlocks([{ kind: 'paragraph', text, page: null }]))];
        await replacePassages(app, tx, { organizationId, knowledgeBaseId, documentId: id, title, passages });
      });
      return id;
    },
    async add(knowledgeBaseId, documentId, title, chunks) {
      const { organizationId } = owners.get(knowledgeBaseId)!;
      const document = { organizationId, knowledgeBaseId, documentId, title, passages: [...passagesOf(chunks)] };
      await transact(app.db, installation, (tx) => addPassages(app, tx, document));
    },
    async remove(documentId) {
      while (await transact(app.db, installation, (tx) => deletePassageBatch(tx, documentId)));
    },
    async removeBase(knowledgeBaseId) {
      while (await transact(app.db, installation, (tx) => deleteBaseBatch(tx, knowledgeBaseId)));
    },
    ask: (bases, query, limit = 5) =>
      search(app, searchPassages, 'library', {
        knowledgeBaseIds: typeof bases === 'string' ? [bases] : bases,
        query,
        limit,
      }),
  };
}
