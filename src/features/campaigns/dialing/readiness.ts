import type { Queryable } from '../../../db/transaction.ts';
import type { App } from '../../../kernel/app.ts';
import { findAgent } from '../../agents/service.ts';
import type { PhoneNumber } from '../../numbers/number.ts';
import { findNumber } from '../../numbers/service.ts';
import { callingStopped } from '../../organizations/calling-stop.ts';
import { usageOf } from '../../organizations/service.ts';
import type { Campaign } from '../campaign.ts';
import { endOf } from '../schedule/schedule.ts';

/** `no_contacts` does not keep a campaign from being active, but it would call nobody. */
export const missingCodes = [
  'calling_stopped',
  'no_agent',
  'agent_inactive',
  'no_number',
  'number_released',
  'carrier_settings',
  'end_past',
  'no_contacts',
] as const;
type MissingCode = (typeof missingCodes)[number];

type Checkable = Pick<Campaign, 'orgId' | 'agentId' | 'phoneNumberId' | 'schedule'>;

/** Whether calls from the number would go to a SIP trunk that nobody named. */
const lacksTrunk = (app: App, { carrier, terminationUri }: PhoneNumber): boolean =>
  (carrier ?? app.config.carrier.driver) === 'sip' && terminationUri === null;

/** Something that keeps a campaign from being active. `field` is the setting that would change it, if one would. */
export type Missing = { field: string | null; code: MissingCode; message: string };

/** Every reason why a campaign cannot be active (docs/api/campaigns.md, "Statuses"), with a sentence that says what to do. */
export async function missingFor(app: App, db: Queryable, campaign: Checkable): Promise<Missing[]> {
  const agent = campaign.agentId === null ? undefined : await findAgent(db, campaign.orgId, campaign.agentId);
  const number =
    campaign.phoneNumberId === null ? undefined : await findNumber(db, campaign.orgId, campaign.phoneNumberId);
  const end = endOf(campaign.schedule);
  const { isStopped } = await usageOf(db, campaign.orgId);
  const missing: Missing[] = [];
  const add = (field: string | null, code: MissingCode, message: string): void =>
    void missing.push({ field, code, message });
  if (isStopped) add(null, 'calling_stopped', callingStopped);
  if (!agent) add('agentId', 'no_agent', 'It has no agent: set agentId.');
  else if (agent.status !== 'ACTIVE') add('agentId', 'agent_inactive', 'Its agent is INACTIVE: set it ACTIVE.');
  if (!number) add('phoneNumberId', 'no_number', 'It has no caller number: set phoneNumberId or fromPhoneNumber.');
  else if (number.status !== 'active')
    add('phoneNumberId', 'number_released', `Its number ${number.phone} is released: set another.`);
  if (number && lacksTrunk(app, number)) {
    const message = `Its number ${number.phone} has no termination_uri, which the carrier sip needs.`;
    add('phoneNumberId', 'carrier_settings', message);
  }
  if (end !== null && end <= app.clock.now())
    add('schedule.end', 'end_past', 'Its schedule.end has passed: set a later one.');
  return missing;
}
