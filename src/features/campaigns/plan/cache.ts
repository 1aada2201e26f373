import { monotonicMs } from '../../../base/clock.ts';
import { onCommit, type Tx } from '../../../db/transaction.ts';
import type { App } from '../../../kernel/app.ts';
import { nodeState } from '../../../kernel/node.ts';
import { readPlanFacts } from '../background-tasks.ts';
import type { ContactRules } from '../../organizations/contact-rules.ts';
import type { Campaign } from '../campaign.ts';
import type { PlanFacts } from './store.ts';

/**
 * A running campaign changes with every call, so its facts are read again at most this often, unless somebody edits it or the do-not-call
 * list.
 */
const maxAgeWhileRunningMs = 10_000;
/** A full cache drops the facts that were read first. */
const maxCached = 1_000;

type Cached = { edits: string; progress: string; readAt: number; clockAt: number; facts: Promise<PlanFacts> };

const caches = nodeState('planFacts', () => ({
  byCampaign: new Map<string, Cached>(),
  /** For each organization, how many changes of who may be called this process has made. */
  revisions: new Map<string, number>(),
}));

/** Call it in a transaction that changes who may be called, so that the organization's plans are computed from new facts. */
export function forgetPlans(app: App, tx: Tx, orgId: string): void {
  const { revisions } = caches(app);
  onCommit(tx, () => revisions.set(orgId, (revisions.get(orgId) ?? 0) + 1));
}

/** The facts for a plan, read on the background thread, or cached ones if nothing that they depend on has changed. */
export function planFactsOf(app: App, campaign: Campaign, rules: ContactRules | null): Promise<PlanFacts> {
  const { byCampaign, revisions } = caches(app);
  const { id, orgId, stats, updatedAt } = campaign;
  const now = app.clock.now();
  const limits = rules?.limits ?? null;
  const byCountry = rules !== null;
  const edits = `${updatedAt} ${stats.total} ${revisions.get(orgId) ?? 0} ${byCountry}`;
  const progress = JSON.stringify(stats);
  const cached = byCampaign.get(id);
  // Limits of calls to one number end by themselves.
  const isStill = limits === null && cached?.progress === progress;
  if (cached && cached.edits === edits && (isStill || isFresh(app, campaign, cached))) return cached.facts;
  const caps = limits && { limits, campaignZone: campaign.schedule.timezone, now };
  const facts = app.background.run(readPlanFacts, { orgId, campaignId: id, caps, byCountry }, orgId);
  // A failed read must not stay in the cache.
  facts.catch(() => byCampaign.delete(id));
  byCampaign.delete(id);
  const [oldest] = byCampaign.size < maxCached ? [] : byCampaign.keys();
  if (oldest !== undefined) byCampaign.delete(oldest);
  byCampaign.set(id, { edits, progress, readAt: monotonicMs(), clockAt: app.clock.now(), facts });
  return facts;
}

/** Measured by both clocks, so that moving the test clock forward makes the facts old, too. */
const isFresh = (app: App, { executionStatus }: Campaign, { readAt, clockAt }: Cached): boolean =>
  executionStatus === 'running' &&
  monotonicMs() - readAt < maxAgeWhileRunningMs &&
  app.clock.now() - clockAt < maxAgeWhileRunningMs;
