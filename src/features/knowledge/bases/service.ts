import { notFound } from '../../../base/errors.ts';
import { type Queryable, transact } from '../../../db/transaction.ts';
import type { App } from '../../../kernel/app.ts';
import * as store from './store.ts';
import { knowledgeBaseRemoved } from '../events.ts';
import type { KnowledgeBase, Source, UrlSource } from './knowledge-base.ts';
import { removeLater } from '../removal.ts';
import { pagesFound, sourcesOf } from '../sources/store.ts';

/** A base with what it has. */
export type FurnishedBase = { base: KnowledgeBase; sources: Source[]; urlSources: UrlSource[] };

/** @throws notFound, the same for another organization's base */
export async function baseOf(db: Queryable, orgId: string, id: string): Promise<KnowledgeBase> {
  const base = await store.baseById(db, orgId, id);
  if (!base) throw notFound('knowledge base');
  return base;
}

/** Those of the ids that are bases of the organization. */
export async function existingBases(
  db: Queryable,
  orgId: string,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  return new Set(await store.existingIds(db, orgId, ids));
}

/** @throws notFound */
export async function furnishedBase(db: Queryable, orgId: string, id: string): Promise<FurnishedBase> {
  const base = await baseOf(db, orgId, id);
  const sources = await sourcesOf(db, base.id);
  return { base, sources, urlSources: await pagesFound(db, sources) };
}

export type NewBase = { name: string; enableAutoRefresh: boolean };

export function createBase(app: App, orgId: string, input: NewBase): Promise<FurnishedBase> {
  return transact(app.db, orgId, async (tx) => {
    const now = app.clock.now();
    const base = { ...input, id: app.ids.make(), orgId, documentCount: 0, createdAt: now, updatedAt: now };
    await store.insertBase(tx, base);
    return { base, sources: [], urlSources: [] };
  });
}

/** Nobody sees it any more, and agents forget it; its rows go afterwards. @throws notFound */
export function deleteBase(app: App, orgId: string, id: string): Promise<void> {
  return transact(app.db, orgId, async (tx) => {
    const base = await baseOf(tx, orgId, id);
    await store.markBaseRemoved(tx, base.id, app.clock.now());
    await app.events.emit(app, tx, knowledgeBaseRemoved, { orgId, baseId: base.id });
    await removeLater(app, tx, 'base', base.id);
  });
}
