import type { Queryable } from '../../../db/transaction.ts';
import { findCall } from '../../calls/service.ts';
import { isDoNotCall } from '../../contacts/service.ts';
import type { Campaign, CampaignContact } from '../campaign.ts';
import type { ContactFacts } from '../dialing/eligibility.ts';

/** Reads the facts that decide whether a waiting contact may be called. */
export async function factsOf(db: Queryable, campaign: Campaign, contact: CampaignContact): Promise<ContactFacts> {
  const { attemptCount, callSessionId } = contact;
  const last = attemptCount === 0 || callSessionId === null ? undefined : await findCall(db, callSessionId);
  return {
    isDoNotCall: await isDoNotCall(db, campaign.orgId, contact.phone, contact.contactId),
    lastOutcome: last?.status ?? undefined,
    attempt: attemptCount + 1,
  };
}
