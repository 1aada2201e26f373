import type { Tx } from '../../../db/transaction.ts';
import type { Campaign } from '../campaign.ts';
import * as campaignContacts from '../contacts/store.ts';
import { openZones, windowOf } from '../schedule/schedule.ts';
import { isOpen } from '../schedule/window.ts';

/**
 * The contact to call now: due retries come before first attempts, which come in the order of adding (docs/api/campaigns.md, "Dialing and
 * retries"). Undefined if no contact in an open time zone is due. With `resumptions` (see `CarrierState`), only contacts for which the
 * carrier has not been out of reach since that count was reached.
 *
 * Usually the window of the very first contact is open. Only if it is closed, the first contacts of all open time zones are read.
 */
export async function nextContact(
  tx: Tx,
  campaign: Campaign,
  now: number,
  resumptions: number | null = null,
): Promise<campaignContacts.NextContact | undefined> {
  const asked = { orgId: campaign.orgId, campaignId: campaign.id, now, resumptions };
  const first = await campaignContacts.nextInCampaign(tx, asked);
  if (!first || isOpen(windowOf(campaign, first.timezone), now)) return first;
  const all = await campaignContacts.pendingZones(tx, campaign.id);
  const zones = openZones(
    campaign,
    all.map(({ timezone }) => timezone),
    now,
  );
  return campaignContacts.nextInZones(tx, { ...asked, zones });
}
