import { conflict, notFound } from '../../../base/errors.ts';
import { type Queryable, transact, type Tx } from '../../../db/transaction.ts';
import type { App } from '../../../kernel/app.ts';
import type { Page, Paged } from '../../../kernel/paging.ts';
import type { Actor } from '../../requests/audit.ts';
import { agentFaults, agentOf, type AgentWithUrls, saveAgent } from '../service.ts';
import { changedFields, type Edition, editionFields, type EditionSettings } from './edition.ts';
import { type DiffLine, diffLines } from './line-diff.ts';
import * as store from './store.ts';

/** @throws notFound when the organization has no such agent */
export async function listEditions(app: App, orgId: string, agentId: string, page: Page): Promise<Paged<Edition>> {
  await agentOf(app.db, orgId, agentId);
  return store.editionPage(app.db, agentId, page);
}

type WithSettings = { edition: Edition; settings: EditionSettings };

/** @throws notFound when the organization has no such agent, or the agent no such edition */
export async function editionOf(db: Queryable, orgId: string, agentId: string, edition: number): Promise<WithSettings> {
  await agentOf(db, orgId, agentId);
  const found = await store.editionByNumber(db, agentId, edition);
  if (!found) throw notFound('edition');
  return found;
}

export type EditionChange = { field: string; before: unknown; after: unknown; lines?: DiffLine[] | null };

/** The settings that are long texts. */
const texts: readonly string[] = ['prompt', 'firstMessage', 'voicemailMessage'];

/**
 * The differences from one edition to another; by default from the one before.
 * @throws notFound when the organization has no such agent, or the agent no such edition
 */
export async function diffOf(
  app: App,
  orgId: string,
  agentId: string,
  to: number,
  from = Math.max(to - 1, 1),
): Promise<{ from: number; to: number; changes: EditionChange[] }> {
  const [before, after] = [await editionOf(app.db, orgId, agentId, from), await editionOf(app.db, orgId, agentId, to)];
  const changes = changedFields(before.settings, after.settings).map((field): EditionChange => {
    const [old, current] = [before.settings[field] ?? null, after.settings[field] ?? null];
    const change = { field, before: old, after: current };
    return texts.includes(field) ? { ...change, lines: diffLines(String(old ?? ''), String(current ?? '')) } : change;
  });
  return { from, to, changes };
}

/**
 * Gives an agent the settings of an edition, as a new one. Settings that came later keep their value.
 * @throws notFound when the organization has no such agent, or the agent no such edition; conflict when a model, voice or knowledge base of
 * it is gone
 */
export function restoreEdition(
  app: App,
  orgId: string,
  agentId: string,
  edition: number,
  { note, actor }: { note: string | null; actor: Actor },
): Promise<AgentWithUrls> {
  return transact(app.db, orgId, async (tx) => {
    const { settings } = await editionOf(tx, orgId, agentId, edition);
    const before = await agentOf(tx, orgId, agentId);
    const known = Object.fromEntries(
      Object.entries(settings).filter(([field]) => (editionFields as readonly string[]).includes(field)),
    ) as EditionSettings;
    await requirePresent(app, tx, orgId, known, before);
    return saveAgent(app, tx, before, { ...before, ...known, updatedAt: app.clock.now() }, { note, actor });
  });
}

async function requirePresent(
  app: App,
  tx: Tx,
  orgId: string,
  settings: EditionSettings,
  before: Parameters<typeof agentFaults>[4],
): Promise<void> {
  const faults = await agentFaults(app, tx, orgId, settings, before);
  if (faults.length === 0) return;
  const named = faults.map(({ path, message }) => `${path} ${valueAt(settings, path)}: ${message}`);
  throw conflict(`The edition cannot be restored. ${named.join('; ')}.`);
}

/** The value that a fault is about, such as that of `knowledgeBaseIds[1]`. */
function valueAt(settings: EditionSettings, path: string): string {
  const [, field = '', index] = /^(\w+)(?:\[(\d+)\])?$/.exec(path) ?? [];
  const value = settings[field as keyof EditionSettings];
  return JSON.stringify(index === undefined ? value : (value as readonly string[])[Number(index)]);
}
