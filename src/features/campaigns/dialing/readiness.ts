import type { Queryable } from '../../../db/transaction.ts';
import type { App } from '../../../kernel/app.ts';
import { findAgent } from '../../agents/service.ts';
import type { PhoneNumber } from '../../numbers/number.ts';
import { findNumber } from '../../numbers/service.ts';
import type { Campaign } from '../campaign.ts';
import { endOf } from '../schedule/schedule.ts';

type Checkable = Pick<Campaign, 'orgId' | 'agentId' | 'phoneNumberId' | 'schedule'>;

/** Whether calls from the number would go to a SIP trunk that nobody named. */
const lacksTrunk = (app: App, { carrier, terminationUri }: PhoneNumber): boolean =>
  (carrier ?? app.config.carrier.driver) === 'sip' && terminationUri === null;

/** Every reason why a campaign cannot be active (docs/api/campaigns.md, "Statuses"), as sentences that say what to do. */
export async function reasonsAgainst(app: App, db: Queryable, campaign: Checkable): Promise<string[]> {
  const agent = campaign.agentId === null ? undefined : await findAgent(db, campaign.orgId, campaign.agentId);
  const number =
    campaign.phoneNumberId === null ? undefined : await findNumber(db, campaign.orgId, campaign.phoneNumberId);
  const end = endOf(campaign.schedule);
  return [
    !agent && 'It has no agent: set agentId.',
    agent && agent.status !== 'ACTIVE' && 'Its agent is INACTIVE: set it ACTIVE.',
    !number && 'It has no caller number: set phoneNumberId or fromPhoneNumber.',
    number && number.status !== 'active' && `Its number ${number.phone} is released: set another.`,
    number &&
      lacksTrunk(app, number) &&
      `Its number ${number.phone} has no termination_uri, which the carrier sip needs.`,
    end !== null && end <= app.clock.now() && 'Its schedule.end has passed: set a later one.',
  ].filter((reason) => typeof reason === 'string');
}
