import { type RawBuilder, sql } from 'kysely';
import { prepared } from '../../../db/prepared.ts';
import type { Queryable } from '../../../db/transaction.ts';
import type { Agent } from '../../agents/agent.ts';
import type { Call } from '../../calls/call.ts';
import { hasPhoneOf, isDoNotCallOf } from '../../contacts/service.ts';
import { type CarrierState } from '../../numbers/carrier-pause.ts';
import type { PhoneNumber } from '../../numbers/number.ts';
import type { StoredRules } from '../../organizations/contact-rules.ts';
import type { OrganizationUsage } from '../../organizations/service.ts';
import type { Campaign, CampaignContact, CampaignContactStatus } from '../campaign.ts';
import { isWaiting } from './capacity-queue.ts';
import { campaignOf } from '../store.ts';

/** Everything that a tick needs: a campaign, its agent and number, the usage of number and organization, and the carrier's state. */
export type Dialing = {
  campaign: Campaign;
  agent: Pick<Agent, 'id' | 'agentName' | 'edition' | 'status' | 'maxCallDurationMs'> | undefined;
  number:
    | Pick<PhoneNumber, 'id' | 'phone' | 'status' | 'carrier' | 'maxConcurrent' | 'maxCps' | 'inFlight' | 'paceAt'>
    | undefined;
  /** Its usage, and the rules that it has set for itself. */
  org: OrganizationUsage & StoredRules;
  /** The other campaigns that wait or were woken (capacity-queue.ts), on the same number and in the organization. */
  others: { ofNumber: Queued; ofOrg: Queued };
  /** The state of the number's carrier. */
  carrier: CarrierState;
};

/** Whether campaigns wait, and how many were woken. */
type Queued = { isAnyWaiting: boolean; woken: number };

const others = sql`SELECT 1 FROM campaigns AS other WHERE other.organization_id = c.organization_id AND other.id <> c.id`;
const isOfNumber = sql`other.phone_number_id = c.phone_number_id`;

/** A join over other features' tables, because every tick needs all of them: four calls of services would cost three times as much. */
const dialings = (db: Queryable, numberId: RawBuilder<unknown> = sql.ref('c.phone_number_id')) =>
  db
    .selectFrom('campaigns as c')
    .innerJoin('organizations as o', 'o.id', 'c.organization_id')
    .leftJoin('agents as a', 'a.id', 'c.agent_id')
    .leftJoin('phone_numbers as n', (join) => join.on(sql<boolean>`n.id = ${numberId}`))
    .leftJoin('carrier_pauses as p', (join) => join.on(sql<boolean>`p.phone_number_id = ${numberId}`))
    .selectAll('c')
    .select(['o.in_flight as org_in_flight', 'o.pace_at as org_pace_at', 'o.stopped_at as org_stopped_at'])
    .select(['o.contact_limits', 'o.guard_hours'])
    .select(['a.agent_name', 'a.edition as agent_edition', 'a.status as agent_status', 'a.max_call_duration_ms'])
    .select([
      'n.id as number_id',
      'n.phone as number_phone',
      'n.status as number_status',
      'n.in_flight',
      'n.pace_at as number_pace_at',
    ])
    .select(['n.carrier as number_carrier', 'n.max_concurrent as number_max_concurrent', 'n.max_cps as number_max_cps'])
    .select(['p.paused_at', 'p.probe_at', 'p.probes', 'p.reason as pause_reason', 'p.resumptions'])
    .select([
      sql<number>`EXISTS (${others} AND ${isOfNumber} AND ${isWaiting})`.as('number_waits'),
      sql<number>`EXISTS (${others} AND ${isWaiting})`.as('org_waits'),
      sql<number>`(SELECT count(*) FROM (${others} AND ${isOfNumber} AND wake_at IS NOT NULL) AS found)`.as(
        'number_woken',
      ),
      sql<number>`(SELECT count(*) FROM (${others} AND wake_at IS NOT NULL) AS found)`.as('org_woken'),
    ])
    .where('c.removed_at', 'is', null);

const byCampaign = prepared((db, campaign: { id: string }) => dialings(db).where('c.id', '=', campaign.id));

const byAttempt = prepared((db, attempt: { campaignContactId: string; phone: string; numberId: string }) => {
  const [orgId, contactId] = [sql.ref('c.organization_id'), sql.ref('m.contact_id')];
  return dialings(db, sql`${attempt.numberId}`)
    .innerJoin('campaign_contacts as m', 'm.campaign_id', 'c.id')
    .select(['m.id as m_id', 'm.contact_id as m_contact_id', 'm.phone as m_phone', 'm.timezone as m_timezone'])
    .select(['m.status as m_status', 'm.call_session_id', 'm.error_message', 'm.unreachable_count'])
    .select(['m.unreachable_resumptions', 'm.unreachable_tries'])
    .select(isDoNotCallOf({ orgId, phone: attempt.phone, contactId }).as('is_do_not_call'))
    .select(hasPhoneOf({ orgId, contactId }).as('has_phone'))
    .where('m.id', '=', attempt.campaignContactId);
});

type Row = Awaited<ReturnType<typeof byCampaign>>['rows'][number];

const agentOf = (row: Row): Dialing['agent'] =>
  row.agent_id === null || row.agent_name === null
    ? undefined
    : {
        id: row.agent_id,
        agentName: row.agent_name,
        edition: row.agent_edition!,
        status: row.agent_status!,
        maxCallDurationMs: row.max_call_duration_ms!,
      };

const numberOf = (row: Row): Dialing['number'] =>
  row.number_id === null || row.number_phone === null
    ? undefined
    : {
        id: row.number_id,
        phone: row.number_phone,
        status: row.number_status!,
        carrier: row.number_carrier,
        maxConcurrent: row.number_max_concurrent!,
        maxCps: row.number_max_cps!,
        inFlight: row.in_flight!,
        paceAt: row.number_pace_at!,
      };

const carrierOf = (row: Row): CarrierState => ({
  pause:
    row.paused_at === null
      ? null
      : { pausedAt: row.paused_at, probeAt: row.probe_at!, probes: row.probes!, reason: row.pause_reason! },
  resumptions: row.resumptions ?? 0,
});

const toDialing = (row: Row): Dialing => ({
  campaign: campaignOf(row),
  agent: agentOf(row),
  number: numberOf(row),
  org: {
    inFlight: row.org_in_flight,
    paceAt: row.org_pace_at,
    isStopped: row.org_stopped_at !== null,
    contact_limits: row.contact_limits,
    guard_hours: row.guard_hours,
  },
  others: {
    ofNumber: { isAnyWaiting: row.number_waits === 1, woken: row.number_woken },
    ofOrg: { isAnyWaiting: row.org_waits === 1, woken: row.org_woken },
  },
  carrier: carrierOf(row),
});

export async function dialingOf(db: Queryable, campaignId: string): Promise<Dialing | undefined> {
  const [row] = (await byCampaign(db, { id: campaignId })).rows;
  return row && toDialing(row);
}

/** What the last look needs to know of the contact that is being called. */
export type AttemptedContact = Pick<
  CampaignContact,
  | 'id'
  | 'contactId'
  | 'phone'
  | 'timezone'
  | 'status'
  | 'callSessionId'
  | 'errorMessage'
  | 'unreachableCount'
  | 'unreachableResumptions'
  | 'unreachableTries'
> & {
  /** Whether the called phone, or the contact, must not be called. */
  isDoNotCall: boolean;
  hasPhone: boolean;
};

/** A campaign contact that is being called, and its campaign with the number of the call. Undefined if either is gone. */
export async function dialingOfAttempt(
  db: Queryable,
  campaignContactId: string,
  { to: phone, phoneNumberId: numberId }: Pick<Call, 'to' | 'phoneNumberId'>,
): Promise<{ dialing: Dialing; contact: AttemptedContact } | undefined> {
  const [row] = (await byAttempt(db, { campaignContactId, phone, numberId })).rows;
  if (!row) return undefined;
  const contact = {
    id: row.m_id,
    contactId: row.m_contact_id,
    phone: row.m_phone,
    timezone: row.m_timezone,
    status: row.m_status as CampaignContactStatus,
    callSessionId: row.call_session_id,
    errorMessage: row.error_message,
    unreachableCount: row.unreachable_count,
    unreachableResumptions: row.unreachable_resumptions,
    unreachableTries: row.unreachable_tries,
    isDoNotCall: row.is_do_not_call === 1,
    hasPhone: row.has_phone === 1,
  };
  return { dialing: toDialing(row), contact };
}
