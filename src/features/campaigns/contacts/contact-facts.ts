import type { Queryable } from '../../../db/transaction.ts';
import type { App } from '../../../kernel/app.ts';
import { findCall } from '../../calls/service.ts';
import { contactRules } from '../../organizations/contact-rules.ts';
import type { CampaignContact } from '../campaign.ts';
import type { Dialing } from '../dialing/dialing-store.ts';
import { heldBy } from '../dialing/held.ts';
import type { ContactFacts } from '../dialing/eligibility.ts';

/** The facts that decide whether a waiting contact may be called, of which its do-not-call state was read with it. */
export async function factsOf(
  app: App,
  db: Queryable,
  { campaign, org }: Pick<Dialing, 'campaign' | 'org'>,
  contact: CampaignContact & Pick<ContactFacts, 'isDoNotCall'>,
): Promise<ContactFacts> {
  const { attemptCount, callSessionId, isDoNotCall } = contact;
  const last = attemptCount === 0 || callSessionId === null ? undefined : await findCall(db, callSessionId);
  return {
    isDoNotCall,
    lastOutcome: last?.status ?? undefined,
    attempt: attemptCount + 1,
    held: await heldBy(app, db, contactRules(app.config, org), campaign, contact),
  };
}
