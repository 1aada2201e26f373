import { type RawBuilder, sql } from 'kysely';
import { prepared } from '../../../db/prepared.ts';
import { transact, type Tx } from '../../../db/transaction.ts';
import type { App } from '../../../kernel/app.ts';
import { inBatches } from '../../../kernel/batches.ts';
import { askForLine, hasMaxCalls, lookAgainMs } from '../../calls/carrier-lines.ts';
import { slotFrom } from '../../calls/pacing.ts';
import type { Campaign } from '../campaign.ts';
import { lookForLineAt, tickAt } from '../kinds.ts';
import { updateCampaign } from '../store.ts';

/**
 * Campaigns that wait for a free line or the next slot of their number or organization (`waitingFor`) wait in a queue per number. For each
 * free line, one of them is woken, that is, its tick is scheduled: the one whose last call is longest ago. If the pace allows no call now, one
 * is woken at the next slot. The tick starts a call or not, and then wakes further ones. So a call takes about one tick, however many
 * campaigns wait.
 *
 * While campaigns wait for a number with a free line, and the organization has a free line too, one of its campaigns must be woken: else
 * nothing starts their calls. So call `wakeWaiting` after each change that may free capacity, and whenever a woken campaign leaves the queue.
 */

/** A wakeup whose tick is this late (ms) no longer counts, because its job may be failing again and again. */
const lostAfterMs = 60_000;

/** The first campaign in the queue of a number that has a free line. */
type Candidate = {
  id: string;
  carrier: string | null;
  phone_number_id: string;
  pace_at: number;
  number_pace_at: number;
  org_pace_at: number;
  number_max_cps: number;
  /** Free lines of the number, and of the organization. */
  number_lines: number;
  org_lines: number;
  /** How many campaigns of the number, and of the organization, were woken for now. */
  number_woken: number;
  org_woken: number;
  /** The earliest wakeup of a campaign of the number, and of the organization, due or not. */
  number_wake_at: number | null;
  org_wake_at: number | null;
};

/** Whether a campaign waits and was not woken. As literals, because SQLite would not use the partial index with bound values. */
export const isWaiting = sql`waiting_for IN ('number', 'organization') AND wake_at IS NULL AND phone_number_id IS NOT NULL`;

/** Most calls end while no campaign waits. This query finds that out in a fifth of the time of `firstOfEachNumber`. */
const anyWaiting = prepared(
  (_db, p: { orgId: string }) =>
    sql`SELECT 1 FROM campaigns WHERE organization_id = ${p.orgId} AND ${isWaiting} LIMIT 1`,
);

/** Jumps in the index from one number with waiting campaigns to the next, so it costs little when they wait for few numbers. */
const firstOfEachNumber = prepared(
  (_db, p: { orgId: string; orgMaxConcurrent: number; now: number; lostAt: number }) => {
    const wakeups = (figure: RawBuilder<unknown>, isAmong: RawBuilder<unknown>) =>
      sql`(SELECT ${figure} FROM campaigns WHERE organization_id = ${p.orgId} AND wake_at > ${p.lostAt} AND ${isAmong})`;
    return sql<Candidate>`
    WITH RECURSIVE numbers (id) AS (
      SELECT (SELECT phone_number_id FROM campaigns WHERE organization_id = ${p.orgId} AND ${isWaiting}
              ORDER BY phone_number_id LIMIT 1)
      UNION ALL
      SELECT (SELECT phone_number_id FROM campaigns
              WHERE organization_id = ${p.orgId} AND ${isWaiting} AND phone_number_id > numbers.id
              ORDER BY phone_number_id LIMIT 1)
      FROM numbers WHERE numbers.id IS NOT NULL
    )
    SELECT c.id, n.carrier, c.phone_number_id, c.pace_at, n.pace_at AS number_pace_at, o.pace_at AS org_pace_at,
      n.max_cps AS number_max_cps, n.max_concurrent - n.in_flight AS number_lines,
      ${p.orgMaxConcurrent} - o.in_flight AS org_lines,
      ${wakeups(sql`count(*)`, sql`wake_at <= ${p.now} AND phone_number_id = n.id`)} AS number_woken,
      ${wakeups(sql`count(*)`, sql`wake_at <= ${p.now}`)} AS org_woken,
      ${wakeups(sql`min(wake_at)`, sql`phone_number_id = n.id`)} AS number_wake_at,
      ${wakeups(sql`min(wake_at)`, sql`TRUE`)} AS org_wake_at
    FROM numbers
    JOIN phone_numbers n ON n.id = numbers.id AND n.in_flight < n.max_concurrent
    JOIN organizations o ON o.id = ${p.orgId} AND o.in_flight < ${p.orgMaxConcurrent}
    JOIN campaigns c ON c.id = (
      SELECT id FROM campaigns
      WHERE organization_id = ${p.orgId} AND phone_number_id = n.id AND ${isWaiting}
      ORDER BY pace_at LIMIT 1)`;
  },
);

const waitingOrganizations = prepared(
  () => sql<{ orgId: string }>`SELECT DISTINCT organization_id AS "orgId" FROM campaigns WHERE ${isWaiting}`,
);

/** Whether a campaign of the organization waits for a line. */
export const isAnyWaiting = async (tx: Tx, orgId: string): Promise<boolean> =>
  (await anyWaiting(tx, { orgId })).rows.length > 0;

/** One call of `wakeWaiting` wakes at most this many campaigns; the tick of each wakes further ones. */
const maxWakeups = 10;

/**
 * Wakes the campaigns of the organization that can call first: one for each line that is free now, or one for the next slot, unless a
 * campaign that was already woken can call as early.
 */
export async function wakeWaiting(app: App, tx: Tx, orgId: string): Promise<void> {
  if (!(await isAnyWaiting(tx, orgId))) return;
  const hasLine = lineFinder(app, tx, orgId);
  for (let woken = 0; woken < maxWakeups; woken += 1) {
    if (!(await wakeOne(app, tx, orgId, hasLine))) return;
  }
}

/** Does so for every organization, after the limits of all were changed; requests are answered in between. */
export async function wakeWaitingCampaigns(app: App): Promise<void> {
  const { rows } = await waitingOrganizations(app.db, {});
  await inBatches(app.db, rows, ({ orgId }) => transact(app.db, orgId, (tx) => wakeWaiting(app, tx, orgId)));
}

/** Wakes the campaign that can call first, if any can. Returns whether a line is left for another one. */
async function wakeOne(app: App, tx: Tx, orgId: string, hasLine: LineFinder): Promise<boolean> {
  const { max_concurrent: orgMaxConcurrent } = app.config.limits.organization;
  const now = app.clock.now();
  const { rows } = await firstOfEachNumber(tx, { orgId, orgMaxConcurrent, now, lostAt: now - lostAfterMs });
  let [next, at]: [Candidate | undefined, number] = [undefined, Infinity];
  for (const one of rows) {
    const slot = slotOf(app, one);
    const isFirst = slot < at || (slot === at && slot < Infinity && one.pace_at < next!.pace_at);
    if (isFirst && (await hasLine(one.carrier))) [next, at] = [one, slot];
  }
  if (!next) return false;
  await updateCampaign(tx, next.id, { wake_at: at });
  await tickAt(app, tx, next.id, at);
  return at === now && !hasMaxCalls(app, next) && spareLines(next) > 1;
}

/** When the candidate can call; Infinity if campaigns that were woken take its lines or its slot. */
function slotOf(app: App, one: Candidate): number {
  const now = app.clock.now();
  const slot = slotFrom(now, [one.pace_at, one.number_pace_at, one.org_pace_at]);
  // A carrier with a limit of its own is asked for each line, so one campaign of each of its numbers is woken at a time.
  if (!hasMaxCalls(app, one)) {
    if (spareLines(one) <= 0) return Infinity;
    const numberPaceAt = paceBehind(one.number_woken, one.number_pace_at, one.number_max_cps, now);
    const orgPaceAt = paceBehind(one.org_woken, one.org_pace_at, app.config.limits.organization.max_cps, now);
    if (slotFrom(now, [one.pace_at, numberPaceAt, orgPaceAt]) === now) return now;
  }
  return isOthersSlot(one, slot, now) ? Infinity : slot;
}

/** The lines that stay free after each campaign that was woken for now has called. */
const spareLines = (one: Candidate): number =>
  Math.min(one.number_lines - one.number_woken, one.org_lines - one.org_woken);

/** The `paceAt` of a number or organization after each campaign that was woken for now has called. */
const paceBehind = (woken: number, paceAt: number, maxCps: number, now: number): number =>
  woken === 0 ? paceAt : Math.max(now, paceAt) + (woken * 1000) / maxCps;

type LineFinder = (carrier: string | null) => Promise<boolean>;

/**
 * Returns a function that tells whether a carrier has a line for the organization. It asks each carrier once, and if there is none,
 * schedules that the organization's campaigns ask again soon.
 */
function lineFinder(app: App, tx: Tx, orgId: string): LineFinder {
  const known = new Map<string | null, boolean>();
  return async (carrier) => {
    const before = known.get(carrier);
    if (before !== undefined) return before;
    const hasLine = (await askForLine(app, tx, { orgId, carrier })) === undefined;
    if (!hasLine) await lookForLineAt(app, tx, orgId, app.clock.now() + lookAgainMs);
    known.set(carrier, hasLine);
    return hasLine;
  };
}

const oneWaiting = prepared(
  (_db, p: { orgId: string; numberId: string }) => sql`
    SELECT 1 FROM campaigns WHERE organization_id = ${p.orgId} AND phone_number_id = ${p.numberId} AND ${isWaiting} LIMIT 1`,
);

/**
 * Call it when a campaign that had all its lines in use gets one back. The campaign calls at once or, if others wait for its number, joins
 * their queue.
 */
export async function rejoin(app: App, tx: Tx, { id, orgId, queueNumberId: numberId }: Campaign): Promise<void> {
  const { rows } = numberId === null ? { rows: [] } : await oneWaiting(tx, { orgId, numberId });
  if (rows.length === 0) await tickAt(app, tx, id, app.clock.now());
  else await updateCampaign(tx, id, { waiting_for: 'number' });
}

/** Whether a campaign was woken for this slot or one before it: one of the number or, if the organization's pace delays it, any campaign. */
function isOthersSlot(candidate: Candidate, slot: number, now: number): boolean {
  const { number_wake_at: ofNumber, org_wake_at: ofOrg, org_pace_at: orgPaceAt } = candidate;
  if (ofNumber !== null && ofNumber <= slot) return true;
  return slotFrom(now, [orgPaceAt]) > now && ofOrg !== null && ofOrg <= slot;
}
