import type { Queryable } from '../../../../db/transaction.ts';
import { findAgent } from '../../../agents/service.ts';
import { findContact } from '../../../contacts/service.ts';
import type { Call } from '../../call.ts';
import { filledIn, valuesFor } from '../thread/texts.ts';

/** What the agent of a call says of its own, with the data of the call filled in. */
export type OwnTexts = { firstMessage: string | null; voicemailMessage: string | null };

export async function ownTextsOf(db: Queryable, call: Call): Promise<OwnTexts> {
  const agent = await findAgent(db, call.orgId, call.agentId);
  const { firstMessage = null, voicemailMessage = null } = agent ?? {};
  if (!firstMessage && !voicemailMessage) return { firstMessage: null, voicemailMessage: null };
  const contact = call.contactId === null ? undefined : await findContact(db, call.orgId, call.contactId);
  const values = valuesFor({ call }, contact);
  return {
    firstMessage: filledIn(firstMessage, values) || null,
    voicemailMessage: filledIn(voicemailMessage, values) || null,
  };
}
