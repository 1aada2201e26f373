import type { Tx } from '../../../db/transaction.ts';
import type { App } from '../../../kernel/app.ts';
import type { Campaign, CampaignContact } from '../campaign.ts';
import * as campaignContacts from '../contacts/store.ts';
import { windowOf } from '../schedule/schedule.ts';
import { isOpen } from '../schedule/window.ts';
import { nextRemembered, rememberQueues } from './zone-queues.ts';

/**
 * The contact to call now: due retries come before first attempts, which come in the order of adding (contract, section 6, "Dialing").
 * Undefined if no contact in an open time zone is due. With `resumptions` (see `CarrierState`), only contacts for which the carrier has not
 * been out of reach since that count was reached.
 *
 * Usually the window of the very first contact is open. Only if it is closed, the time zones are read and their queues remembered.
 */
export async function nextContact(
  app: App,
  tx: Tx,
  campaign: Campaign,
  now: number,
  resumptions: number | null = null,
): Promise<CampaignContact | undefined> {
  const remembered = resumptions === null ? await nextRemembered(app, tx, campaign, now) : undefined;
  if (remembered) return remembered;
  const first = await campaignContacts.nextInCampaign(tx, campaign.id, now, resumptions);
  if (!first || isOpen(windowOf(campaign, first.timezone), now)) return first;
  if (resumptions !== null) return nextUntried(tx, campaign, now, resumptions);
  await rememberQueues(app, tx, campaign);
  return nextRemembered(app, tx, campaign, now);
}

/** Reads every open zone each time, which is rare: during a pause of the carrier only probes are called. */
async function nextUntried(
  tx: Tx,
  campaign: Campaign,
  now: number,
  resumptions: number,
): Promise<CampaignContact | undefined> {
  const zones = await campaignContacts.pendingZones(tx, campaign.id);
  const open = zones.map(({ timezone }) => timezone).filter((zone) => isOpen(windowOf(campaign, zone), now));
  return campaignContacts.nextInZones(tx, campaign.id, open, now, resumptions);
}
