import { notFound } from '../../../base/errors.ts';
import { type Queryable, transact } from '../../../db/transaction.ts';
import type { App } from '../../../kernel/app.ts';
import * as store from './store.ts';
import { knowledgeBaseRemoved } from '../events.ts';
import type { KnowledgeBase, Source, UrlSource } from './knowledge-base.ts';
import { removeLater } from '../removal.ts';
import { withPageCounts, listSources } from '../sources/store.ts';

export type KnowledgeBaseWithSources = { base: KnowledgeBase; sources: Source[]; urlSources: UrlSource[] };

/**
 * @throws notFound when there is no such base in the organization, so that ids of other organizations reveal nothing
 */
export async function requireBase(db: Queryable, orgId: string, id: string): Promise<KnowledgeBase> {
  const base = await store.findBase(db, orgId, id);
  if (!base) throw notFound('knowledge base');
  return base;
}

/** Which of the ids are knowledge bases of the organization. */
export async function existingBases(
  db: Queryable,
  orgId: string,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  return new Set(await store.existingBaseIds(db, orgId, ids));
}

/** @throws notFound when the organization has no such base */
export async function knowledgeBaseWithSources(
  db: Queryable,
  orgId: string,
  id: string,
): Promise<KnowledgeBaseWithSources> {
  const base = await requireBase(db, orgId, id);
  const sources = await listSources(db, base.id);
  return { base, sources, urlSources: await withPageCounts(db, sources) };
}

export type NewBase = { name: string; enableAutoRefresh: boolean };

export function createBase(app: App, orgId: string, input: NewBase): Promise<KnowledgeBaseWithSources> {
  return transact(app.db, orgId, async (tx) => {
    const now = app.clock.now();
    const base = { ...input, id: app.ids.make(), orgId, documentCount: 0, createdAt: now, updatedAt: now };
    await store.insertBase(tx, base);
    return { base, sources: [], urlSources: [] };
  });
}

/**
 * Hides a base at once and detaches it from agents; a job then deletes its rows in batches.
 * @throws notFound when the organization has no such base
 */
export function deleteBase(app: App, orgId: string, id: string): Promise<void> {
  return transact(app.db, orgId, async (tx) => {
    const base = await requireBase(tx, orgId, id);
    await store.markBaseRemoved(tx, base.id, app.clock.now());
    await app.events.emit(app, tx, knowledgeBaseRemoved, { orgId, baseId: base.id });
    await removeLater(app, tx, 'base', base.id);
  });
}
