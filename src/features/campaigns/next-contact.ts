import type { Tx } from '../../db/transaction.ts';
import type { App } from '../../kernel/app.ts';
import type { Campaign, CampaignContact } from './campaign.ts';
import * as campaignContacts from './campaign-contacts-store.ts';
import { windowOf } from './schedule.ts';
import { isOpen } from './window.ts';
import { nextRemembered, rememberQueues } from './zone-queues.ts';

/**
 * The contact to call now: due retries come before first attempts, which come in the order of adding (contract, section 6, "Dialing").
 * Undefined if no contact in an open time zone is due. With `resumptions` (`CarrierState`), only contacts for which the carrier has not
 * been out of reach since that count was reached.
 *
 * Usually the window of the very first contact is open; only if it is closed are the time zones asked.
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

/** Asks every open zone each time: during a pause of the carrier there are only probes. */
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
