import { notFound } from '../../../base/errors.ts';
import { type Queryable, transact } from '../../../db/transaction.ts';
import type { App } from '../../../kernel/app.ts';
import { startBatches } from '../../../kernel/batch-job.ts';
import type { Page, Paged } from '../../../kernel/paging.ts';
import { requireRoom } from '../../../kernel/unpaged.ts';
import * as store from './store.ts';
import { knowledgeBaseRemoved } from '../events.ts';
import {
  type CountedSource,
  isUrlSource,
  type KnowledgeBase,
  type SourceCount,
  sumOf,
  type UrlSource,
} from './knowledge-base.ts';
import { removeLater } from '../removal.ts';
import { scheduleRounds } from '../job-kinds.ts';
import { newestSources, sitesOf, sourceCounts } from '../sources/list-store.ts';

/** Bases whose name contains a folded text, newest first. */
export const searchBases = (app: App, orgId: string, text: string, page: Page): Promise<Paged<KnowledgeBase>> =>
  store.searchBases(app.db, orgId, text, page);

/** The organization's newest bases with a source that could not be read, at most `limit`. */
export const failingBases = (db: Queryable, orgId: string, limit: number): Promise<KnowledgeBase[]> =>
  store.listBases(db, orgId, { failing: true, limit });

/** A base with the counts of all its sources, and its newest sources, oldest first. */
export type KnowledgeBaseWithSources = { base: KnowledgeBase; counts: SourceCount[]; sources: CountedSource[] };
/** `urlSources`: all sites that the base crawls, oldest first. */
export type KnowledgeBaseWithSites = KnowledgeBaseWithSources & { urlSources: UrlSource[] };

/**
 * @throws notFound when there is no such base in the organization, so that ids of other organizations reveal nothing
 */
export async function requireBase(db: Queryable, orgId: string, id: string): Promise<KnowledgeBase> {
  const base = await store.findBase(db, orgId, id);
  if (!base) throw notFound('knowledge base');
  return base;
}

export const findBase = (db: Queryable, orgId: string, id: string): Promise<KnowledgeBase | undefined> =>
  store.findBase(db, orgId, id);

/** Which of the ids are knowledge bases of the organization. */
export async function existingBases(
  db: Queryable,
  orgId: string,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  return new Set(await store.existingBaseIds(db, orgId, ids));
}

/** An answer about a base shows at most this many of its sources, the newest; `GET …/sources` lists all. */
export const maxSourcesShown = 1000;

/** @throws notFound when the organization has no such base */
export async function knowledgeBaseWithSources(
  db: Queryable,
  orgId: string,
  id: string,
): Promise<KnowledgeBaseWithSources> {
  const base = await requireBase(db, orgId, id);
  const counts = await sourceCounts(db, base.id);
  return { base, counts, sources: await newestSources(db, base.id, maxSourcesShown) };
}

/** @throws notFound when the organization has no such base */
export async function knowledgeBaseWithSites(
  db: Queryable,
  orgId: string,
  id: string,
): Promise<KnowledgeBaseWithSites> {
  const found = await knowledgeBaseWithSources(db, orgId, id);
  const hasAll = sumOf(found.counts) <= maxSourcesShown;
  const urlSources = hasAll ? found.sources.filter(isUrlSource) : await sitesOf(db, found.base.id);
  return { ...found, urlSources };
}

export type NewBase = { name: string; enableAutoRefresh: boolean };

/** @throws conflict when the organization has as many bases as it may */
export function createBase(app: App, orgId: string, input: NewBase): Promise<KnowledgeBaseWithSites> {
  return transact(app.db, orgId, async (tx) => {
    await requireRoom(tx, orgId, store.baseList);
    const now = app.clock.now();
    const base = { ...input, id: app.ids.make(), orgId, documentCount: 0, version: 1, createdAt: now, updatedAt: now };
    await store.insertBase(tx, base);
    return { base, counts: [], sources: [], urlSources: [] };
  });
}

/**
 * Renames a base, or switches on or off that its sites are crawled again. Switched on, the next crawls are due
 * `knowledge.refresh_hours` from now; switched off, those that are scheduled do nothing.
 * @throws notFound when the organization has no such base
 */
export function updateBase(
  app: App,
  orgId: string,
  id: string,
  changes: Partial<NewBase>,
): Promise<KnowledgeBaseWithSites> {
  return transact(app.db, orgId, async (tx) => {
    const before = await requireBase(tx, orgId, id);
    await store.updateBase(tx, before.id, changes, app.clock.now());
    if (changes.enableAutoRefresh === true && !before.enableAutoRefresh) {
      await startBatches(app, tx, scheduleRounds, before.id, { after: '' });
    }
    return knowledgeBaseWithSites(tx, orgId, id);
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
