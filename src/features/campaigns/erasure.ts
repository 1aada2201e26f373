import { transact } from '../../db/transaction.ts';
import type { App } from '../../kernel/app.ts';
import { contactForgetting } from '../contacts/events.ts';
import * as campaignContacts from './contacts/store.ts';

/** Removes a person from all campaigns, whose outcomes stay. Returns in how many rows. Call it once the contact is hidden. */
export function eraseFromCampaigns(
  app: App,
  orgId: string,
  person: { contactId: string; phone: string | null },
): Promise<number> {
  return transact(app.db, orgId, async (tx) => {
    const ids = await campaignContacts.idsOfPerson(tx, orgId, person);
    // First as for a deleted contact, which cancels what waits: nobody may dial what then stands in place of the phone.
    const batch = { isLast: true };
    await app.events.emit(app, tx, contactForgetting, { orgId, contactId: person.contactId, batch });
    await campaignContacts.anonymize(tx, ids);
    return ids.length;
  });
}
