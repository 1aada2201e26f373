import { sql } from 'kysely';
import { prepared } from '../../db/prepared.ts';
import type { Tx } from '../../db/transaction.ts';
import type { App } from '../../kernel/app.ts';
import { askForLine, lookAgainMs } from '../calls/carrier-lines.ts';
import { slotFrom } from '../calls/pacing.ts';
import type { Campaign } from './campaign.ts';
import { lookForLineAt, tickAt } from './kinds.ts';
import { updateCampaign } from './store.ts';

/**
 * Campaigns that wait for a free line or the next slot of their number or organization (`waitingFor`) wait in a queue per number. When a
 * call can start, one of them is given the turn: the one whose last call is longest ago. Its tick starts a call or not, and then gives the
 * next turn. So a call takes about one tick, however many campaigns wait.
 *
 * Whenever a number with waiting campaigns has a free line, and the organization too, one of these campaigns must have a turn. So call
 * `giveTurn` after each change that may free capacity, and whenever a campaign with a turn leaves the queue.
 */

/** The first campaign in the queue of a number that has a free line. */
type Candidate = {
  id: string;
  carrier: string | null;
  phone_number_id: string;
  pace_at: number;
  number_pace_at: number;
  org_pace_at: number;
  /** The earliest turn given to a campaign of the number, and of the organization. */
  number_turn_at: number | null;
  org_turn_at: number | null;
};

/** As literals: with bound values SQLite would not use the partial index. */
const isWaiting = sql`waiting_for IN ('number', 'organization') AND turn_at IS NULL AND phone_number_id IS NOT NULL`;

/** Jumps in the index from one number with waiting campaigns to the next, so it costs nothing when none waits. */
const firstOfEachNumber = prepared(
  (_db, p: { orgId: string; orgMaxConcurrent: number }) => sql<Candidate>`
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
      (SELECT min(turn_at) FROM campaigns
       WHERE organization_id = ${p.orgId} AND phone_number_id = n.id AND turn_at IS NOT NULL) AS number_turn_at,
      (SELECT min(turn_at) FROM campaigns WHERE organization_id = ${p.orgId} AND turn_at IS NOT NULL) AS org_turn_at
    FROM numbers
    JOIN phone_numbers n ON n.id = numbers.id AND n.in_flight < n.max_concurrent
    JOIN organizations o ON o.id = ${p.orgId} AND o.in_flight < ${p.orgMaxConcurrent}
    JOIN campaigns c ON c.id = (
      SELECT id FROM campaigns
      WHERE organization_id = ${p.orgId} AND phone_number_id = n.id AND ${isWaiting}
      ORDER BY pace_at LIMIT 1)`,
);

/** Gives the turn to the campaign of the organization that can call first, unless a campaign that already has a turn can call as early. */
export async function giveTurn(app: App, tx: Tx, orgId: string): Promise<void> {
  const { max_concurrent: orgMaxConcurrent } = app.config.limits.organization;
  const now = app.clock.now();
  const hasLine = lineFinder(app, tx, orgId);
  let [next, at]: [Candidate | undefined, number] = [undefined, Infinity];
  for (const one of (await firstOfEachNumber(tx, { orgId, orgMaxConcurrent })).rows) {
    const slot = slotFrom(now, [one.pace_at, one.number_pace_at, one.org_pace_at]);
    const isFirst = slot < at || (slot === at && one.pace_at < next!.pace_at);
    const mayCall = isFirst && !isOthersTurn(one, slot, now) && (await hasLine(one.carrier));
    if (mayCall) [next, at] = [one, slot];
  }
  if (!next) return;
  await updateCampaign(tx, next.id, { turn_at: at });
  await tickAt(app, tx, next.id, at);
}

/**
 * Returns a function that tells whether a carrier has a line for the organization. It asks each carrier once, and if there is none,
 * schedules that the organization's campaigns ask again soon.
 */
function lineFinder(app: App, tx: Tx, orgId: string): (carrier: string | null) => Promise<boolean> {
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

/** Whether the number, or the pace of the organization, has been given to another campaign for this slot. */
function isOthersTurn(candidate: Candidate, slot: number, now: number): boolean {
  const { number_turn_at: ofNumber, org_turn_at: ofOrg, org_pace_at: orgPaceAt } = candidate;
  if (ofNumber !== null && ofNumber <= slot) return true;
  return slotFrom(now, [orgPaceAt]) > now && ofOrg !== null && ofOrg <= slot;
}
