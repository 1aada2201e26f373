import { type RawBuilder, sql } from 'kysely';
import { prepared } from '../../../db/prepared.ts';
import type { Tx } from '../../../db/transaction.ts';
import type { App } from '../../../kernel/app.ts';
import { askForLine, hasMaxCalls, lookAgainMs } from '../../calls/carrier-lines.ts';
import { slotFrom } from '../../calls/pacing.ts';
import type { Campaign } from '../campaign.ts';
import { lookForLineAt, tickAt } from '../kinds.ts';
import { updateCampaign } from '../store.ts';

/**
 * Campaigns that wait for a free line or the next slot of their number or organization (`waitingFor`) wait in a queue per number. For each
 * free line, one of them gets a turn: the one whose last call is longest ago. If the pace allows no call now, one gets a turn at the next
 * slot. The tick of a turn starts a call or not, and then gives further turns. So a call takes about one tick, however many campaigns wait.
 *
 * While campaigns wait for a number with a free line, and the organization has a free line too, one of its campaigns must have a turn: else
 * nothing wakes them. So call `giveTurns` after each change that may free capacity, and whenever a campaign with a turn leaves the queue.
 */

/** A turn whose tick is this late (ms) no longer counts, because its job may be failing again and again. */
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
  /** How many campaigns of the number, and of the organization, have a turn that is due. */
  number_turns: number;
  org_turns: number;
  /** The earliest turn of a campaign of the number, and of the organization, due or not. */
  number_turn_at: number | null;
  org_turn_at: number | null;
};

/** Whether a campaign waits and has no turn. As literals, because SQLite would not use the partial index with bound values. */
export const isWaiting = sql`waiting_for IN ('number', 'organization') AND turn_at IS NULL AND phone_number_id IS NOT NULL`;

/** Most calls end while no campaign waits. This query finds that out in a fifth of the time of `firstOfEachNumber`. */
const anyWaiting = prepared(
  (_db, p: { orgId: string }) =>
    sql`SELECT 1 FROM campaigns WHERE organization_id = ${p.orgId} AND ${isWaiting} LIMIT 1`,
);

/** Jumps in the index from one number with waiting campaigns to the next, so it costs little when they wait for few numbers. */
const firstOfEachNumber = prepared(
  (_db, p: { orgId: string; orgMaxConcurrent: number; now: number; lostAt: number }) => {
    const turns = (figure: RawBuilder<unknown>, isAmong: RawBuilder<unknown>) =>
      sql`(SELECT ${figure} FROM campaigns WHERE organization_id = ${p.orgId} AND turn_at > ${p.lostAt} AND ${isAmong})`;
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
      ${turns(sql`count(*)`, sql`turn_at <= ${p.now} AND phone_number_id = n.id`)} AS number_turns,
      ${turns(sql`count(*)`, sql`turn_at <= ${p.now}`)} AS org_turns,
      ${turns(sql`min(turn_at)`, sql`phone_number_id = n.id`)} AS number_turn_at,
      ${turns(sql`min(turn_at)`, sql`TRUE`)} AS org_turn_at
    FROM numbers
    JOIN phone_numbers n ON n.id = numbers.id AND n.in_flight < n.max_concurrent
    JOIN organizations o ON o.id = ${p.orgId} AND o.in_flight < ${p.orgMaxConcurrent}
    JOIN campaigns c ON c.id = (
      SELECT id FROM campaigns
      WHERE organization_id = ${p.orgId} AND phone_number_id = n.id AND ${isWaiting}
      ORDER BY pace_at LIMIT 1)`;
  },
);

/** One call of `giveTurns` gives at most this many turns; the tick of each gives further ones. */
const maxTurnsAtOnce = 10;

/**
 * Gives turns to the campaigns of the organization that can call first: one for each line that is free now, or one for the next slot, unless
 * a campaign that already has a turn can call as early.
 */
export async function giveTurns(app: App, tx: Tx, orgId: string): Promise<void> {
  if ((await anyWaiting(tx, { orgId })).rows.length === 0) return;
  const hasLine = lineFinder(app, tx, orgId);
  for (let given = 0; given < maxTurnsAtOnce; given += 1) {
    if (!(await giveOneTurn(app, tx, orgId, hasLine))) return;
  }
}

/** Gives a turn to the campaign that can call first, if any can. Returns whether a line is left for another turn. */
async function giveOneTurn(app: App, tx: Tx, orgId: string, hasLine: LineFinder): Promise<boolean> {
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
  await updateCampaign(tx, next.id, { turn_at: at });
  await tickAt(app, tx, next.id, at);
  return at === now && !hasMaxCalls(app, next) && spareLines(next) > 1;
}

/** When the candidate can have a turn; Infinity if campaigns that have one take its lines or its slot. */
function slotOf(app: App, one: Candidate): number {
  const now = app.clock.now();
  const slot = slotFrom(now, [one.pace_at, one.number_pace_at, one.org_pace_at]);
  // A carrier with a limit of its own is asked for each line, so each of its numbers gets one turn at a time.
  if (!hasMaxCalls(app, one)) {
    if (spareLines(one) <= 0) return Infinity;
    const numberPaceAt = paceBehind(one.number_turns, one.number_pace_at, one.number_max_cps, now);
    const orgPaceAt = paceBehind(one.org_turns, one.org_pace_at, app.config.limits.organization.max_cps, now);
    if (slotFrom(now, [one.pace_at, numberPaceAt, orgPaceAt]) === now) return now;
  }
  return isOthersTurn(one, slot, now) ? Infinity : slot;
}

/** The lines that stay free after each campaign whose turn is due has called. */
const spareLines = (one: Candidate): number =>
  Math.min(one.number_lines - one.number_turns, one.org_lines - one.org_turns);

/** The `paceAt` of a number or organization after each campaign whose turn is due has called. */
const paceBehind = (turns: number, paceAt: number, maxCps: number, now: number): number =>
  turns === 0 ? paceAt : Math.max(now, paceAt) + (turns * 1000) / maxCps;

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
export async function rejoin(app: App, tx: Tx, { id, orgId, phoneNumberId }: Campaign): Promise<void> {
  const { rows } = phoneNumberId === null ? { rows: [] } : await oneWaiting(tx, { orgId, numberId: phoneNumberId });
  if (rows.length === 0) await tickAt(app, tx, id, app.clock.now());
  else await updateCampaign(tx, id, { waiting_for: 'number' });
}

/** Whether a campaign has a turn at this slot or before it: one of the number or, if the organization's pace delays it, any campaign. */
function isOthersTurn(candidate: Candidate, slot: number, now: number): boolean {
  const { number_turn_at: ofNumber, org_turn_at: ofOrg, org_pace_at: orgPaceAt } = candidate;
  if (ofNumber !== null && ofNumber <= slot) return true;
  return slotFrom(now, [orgPaceAt]) > now && ofOrg !== null && ofOrg <= slot;
}
