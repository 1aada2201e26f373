import { conflict } from '../../base/errors.ts';
import type { Tx } from '../../db/transaction.ts';
import type { App, ReadingSubscriber } from '../../kernel/app.ts';
import { startBatches } from '../../kernel/batch-job.ts';
import { maxBatchRows } from '../../kernel/batch-size.ts';
import { contactIndex } from '../../search/contacts/index.ts';
import type { Call } from '../calls/call.ts';
import { type ContactWithoutMetadata, nameOf } from '../contacts/contact.ts';
import { findContacts, indexAfterCommit } from '../contacts/service.ts';
import { findNumber } from '../numbers/service.ts';
import { counterOf, type Campaign, type CampaignContact, withChangedStats } from './campaign.ts';
import { isAnyWaiting, wakeWaiting, rejoin } from './dialing/capacity-queue.ts';
import { cancelExpired, cancelPending, completeIfDone } from './completion.ts';
import { causeNow } from './contacts/cause.ts';
import * as campaignContacts from './contacts/store.ts';
import { recordEvent } from './results/history.ts';
import { followContact, type FollowPayload, tickAt } from './kinds.ts';
import { forgetPlans } from './plan/cache.ts';
import { rescheduleAll, rescheduleContact } from './contacts/rescheduling.ts';
import { retryAt } from './dialing/retry.ts';
import * as store from './store.ts';

/** Campaign contacts that one transaction changes; each takes up to ten statements. */
const maxContacts = 25;

type EndedCall = { call: Call; invalidNumber: boolean };

type EndedFacts = {
  found: Awaited<ReturnType<typeof store.campaignOfContact>>;
  /** Whether a campaign waits for a line; undefined if the end of the call may change that. */
  isAnyWaiting: boolean | undefined;
};

/** Records the outcome of an ended call for its campaign contact, and wakes the campaign that may use its line. */
export const onCallEnded: ReadingSubscriber<EndedCall, EndedFacts> = {
  async read(_app, tx, { call: { orgId, campaignContactId } }) {
    if (campaignContactId === null) return { found: undefined, isAnyWaiting: await isAnyWaiting(tx, orgId) };
    return { found: await store.campaignOfContact(tx, campaignContactId), isAnyWaiting: undefined };
  },
  async act(app, tx, { call, invalidNumber }, { found, isAnyWaiting: known }) {
    if (found?.contact.callSessionId === call.id && found.contact.status === 'in_progress') {
      await recordOutcome(app, tx, found.campaign, found.contact, call, invalidNumber);
    }
    if (known !== false) await wakeWaiting(app, tx, call.orgId);
  },
};

async function recordOutcome(
  app: App,
  tx: Tx,
  campaign: Campaign,
  contact: store.CalledContact,
  call: Call,
  invalidNumber: boolean,
): Promise<void> {
  const status = call.status ?? 'failed';
  const now = app.clock.now();
  const nextRetryAt = retryAt(campaign, {
    status,
    invalidNumber,
    attemptCount: contact.attemptCount,
    endedAt: call.endedAt ?? now,
    zone: contact.timezone,
  });
  await campaignContacts.update(tx, contact.id, {
    status: nextRetryAt === null ? status : 'pending',
    next_retry_at: nextRetryAt,
    call_duration_sec: call.durationSec,
    error_message: call.errorMessage,
    number_invalid: invalidNumber ? 1 : 0,
    unreachable_count: 0,
    unreachable_resumptions: null,
    unreachable_tries: 0,
  });
  const successful = status === 'completed' && call.analysis?.goals_met !== false ? 1 : 0;
  const bucket = nextRetryAt === null ? counterOf(status) : 'pending';
  const changes = { inProgress: -1, [bucket]: 1, successful };
  await store.addStats(tx, campaign.id, changes);
  if (nextRetryAt !== null) {
    await campaignContacts.addPending(tx, campaign.id, contact.timezone, 1);
    // A campaign that waits for capacity looks for due retries when it is woken.
    const isRunning = campaign.executionStatus === 'running';
    if (isRunning && campaign.waitingFor === null) await tickAt(app, tx, campaign.id, nextRetryAt);
  }
  if (campaign.waitingFor === 'campaign') await rejoin(app, tx, campaign);
  await completeIfDone(app, tx, withChangedStats(campaign, changes));
}

/** Wakes the agent's active campaigns, which place no calls while it is INACTIVE. */
export async function onAgentActivated(app: App, tx: Tx, { agentId }: { agentId: string }): Promise<void> {
  for (const { id } of await store.activeCampaignsOfAgent(tx, agentId)) await tickAt(app, tx, id, app.clock.now());
}

const listOf = (campaigns: readonly Campaign[]): string =>
  campaigns.map((campaign) => `"${campaign.name}" (${campaign.id})`).join(', ');

/** @throws conflict while an active campaign uses the agent */
export async function onAgentDeleting(_app: App, tx: Tx, { agentId }: { agentId: string }): Promise<void> {
  const campaigns = await store.activeCampaignsOfAgent(tx, agentId);
  if (campaigns.length > 0)
    throw conflict(`These active campaigns use the agent: ${listOf(campaigns)}. Pause or complete them first.`);
}

/** Clears a deleted agent in its campaigns, which stay. */
export async function onAgentForgetting(
  _app: App,
  tx: Tx,
  { agentId, batch }: { agentId: string; batch: { isLast: boolean } },
): Promise<void> {
  if ((await store.forgetAgent(tx, agentId, maxBatchRows)) === maxBatchRows) batch.isLast = false;
}

/**
 * Takes the number out of the campaigns that have others.
 * @throws conflict while an active campaign has this number alone
 */
export async function onNumberReleasing(
  app: App,
  tx: Tx,
  { orgId, numberId }: { orgId: string; numberId: string },
): Promise<void> {
  for (const campaign of await store.campaignsWithSeveral(tx, numberId)) {
    const phoneNumberIds = campaign.phoneNumberIds.filter((id) => id !== numberId);
    const first = await findNumber(tx, orgId, phoneNumberIds[0]!);
    await store.setNumbers(tx, campaign.id, { phoneNumberIds, fromPhoneNumber: first?.phone ?? null }, app.clock.now());
    const isFirst = campaign.phoneNumberId === numberId;
    const fields = ['phoneNumberIds', ...(isFirst ? ['phoneNumberId', 'fromPhoneNumber'] : [])];
    await recordEvent(app, tx, campaign.id, 'edited', null, { fields });
    if (campaign.executionStatus === 'running') await tickAt(app, tx, campaign.id, app.clock.now());
  }
  const campaigns = await store.activeCampaignsOfNumber(tx, numberId);
  if (campaigns.length > 0)
    throw conflict(`These active campaigns call from the number: ${listOf(campaigns)}. Pause or complete them first.`);
}

/** Wakes the number's active campaigns, which may have been waiting because of its old limits. */
export async function onNumberLimitsRaised(app: App, tx: Tx, { numberId }: { numberId: string }): Promise<void> {
  for (const { id } of await store.activeCampaignsOfNumber(tx, numberId)) await tickAt(app, tx, id, app.clock.now());
}

type PausedCarrier = { numberId: string; reason: string };

export async function onCarrierPaused(app: App, tx: Tx, { numberId, reason }: PausedCarrier): Promise<void> {
  for (const { id } of await store.activeCampaignsOfNumber(tx, numberId)) {
    await recordEvent(app, tx, id, 'carrier_paused', null, { phone_number_id: numberId, reason });
  }
}

/** Wakes the number's active campaigns, which waited for its carrier. */
export async function onCarrierResumed(app: App, tx: Tx, { numberId }: { numberId: string }): Promise<void> {
  for (const { id } of await store.activeCampaignsOfNumber(tx, numberId)) {
    await recordEvent(app, tx, id, 'carrier_resumed', null, { phone_number_id: numberId });
    await tickAt(app, tx, id, app.clock.now());
  }
}

type OfContact = { orgId: string; contactId: string };

/** Clears a deleted contact in its campaign contacts, which stay listed, and cancels those that are pending or expired. */
export async function onContactForgetting(
  app: App,
  tx: Tx,
  { orgId, contactId, batch }: OfContact & { batch: { isLast: boolean } },
): Promise<void> {
  forgetPlans(app, tx, orgId);
  const some = await campaignContacts.someOfContact(tx, contactId, { limit: maxContacts });
  for (const campaignContact of some) {
    const { id, status, cause } = campaignContact;
    const deleted = causeNow('contact_deleted', app.clock.now());
    if (status === 'pending') await cancelPending(app, tx, campaignContact, deleted);
    else if (status === 'expired') await cancelExpired(tx, campaignContact, deleted);
    // Who opted the contact out goes with its data.
    const anonymous = cause && { cause: JSON.stringify({ ...cause, by: null }) };
    await campaignContacts.update(tx, id, { contact_id: null, ...anonymous });
  }
  if (some.length > 0) indexAfterCommit(app, tx);
  if (some.length === maxContacts) batch.isLast = false;
}

/** Makes the organization's next plans show who may not be called any more. */
export function onDoNotCallChanged(app: App, tx: Tx, { orgId }: { orgId: string }): Promise<void> {
  forgetPlans(app, tx, orgId);
  return Promise.resolve();
}

/** Decides anew about the contacts that the organization's limits of calls or guard hours hold back. */
export async function onContactRulesChanged(app: App, tx: Tx, { orgId }: { orgId: string }): Promise<void> {
  forgetPlans(app, tx, orgId);
  for (const id of await store.startedCampaigns(tx, orgId)) await rescheduleAll(app, tx, id);
}

/**
 * Copies the changed contact to its campaign contacts that are pending, on the phone or expired. If the contact lost its phone, cancels those
 * that are not on the phone. After the first of them, a job goes on.
 */
export async function onContactChanged(app: App, tx: Tx, { orgId, contactId }: OfContact): Promise<void> {
  forgetPlans(app, tx, orgId);
  const next = await followBatch(app, tx, contactId, { orgId });
  if (next) await startBatches(app, tx, followContact, contactId, next);
}

/**
 * Copies the changed contact to the next batch of its campaign contacts. Returns the payload of the batch after it; undefined if there is
 * none.
 */
export async function followBatch(
  app: App,
  tx: Tx,
  contactId: string,
  { orgId, before }: FollowPayload,
): Promise<FollowPayload | undefined> {
  const [contact] = await findContacts(tx, orgId, [contactId]);
  if (!contact) return undefined;
  const some = await campaignContacts.someOfContact(tx, contactId, { limit: maxContacts, before });
  // Ended ones keep their old texts.
  await contactIndex.noteCampaignContacts(tx, orgId, some);
  if (some.length > 0) indexAfterCommit(app, tx);
  for (const campaignContact of some) {
    const { status } = campaignContact;
    const cause = causeNow('no_phone', app.clock.now());
    if (status === 'pending' && contact.phone === null) await cancelPending(app, tx, campaignContact, cause);
    else if (status === 'expired' && contact.phone === null) await cancelExpired(tx, campaignContact, cause);
    // A contact on the phone may be retried later, and an expired one called in a reopened campaign, then at the new number.
    else if (status === 'pending' || status === 'in_progress' || status === 'expired')
      await updateFrom(app, tx, campaignContact, contact);
  }
  return some.length === maxContacts ? { orgId, before: some.at(-1)!.id } : undefined;
}

/** A first attempt that limits of calls or guard hours hold back is decided anew for the changed person. */
const isHeldFirstAttempt = ({ status, attemptCount, nextRetryAt, unreachableTries }: CampaignContact): boolean =>
  status === 'pending' && attemptCount === 0 && nextRetryAt !== null && unreachableTries === 0;

/**
 * Copies the contact's present data. Keeps the old phone if the campaign already contains the new one, because a campaign contains a phone
 * number only once.
 */
async function updateFrom(
  app: App,
  tx: Tx,
  campaignContact: CampaignContact,
  contact: ContactWithoutMetadata,
): Promise<void> {
  const phone = contact.phone ?? campaignContact.phone;
  const taken =
    phone !== campaignContact.phone &&
    (await campaignContacts.phonesIn(tx, campaignContact.campaignId, [phone])).size > 0;
  const timezone = contact.timezone ?? '';
  await campaignContacts.update(tx, campaignContact.id, {
    name: nameOf(contact),
    email: contact.email,
    phone: taken ? campaignContact.phone : phone,
    timezone,
    ...(isHeldFirstAttempt(campaignContact) ? { next_retry_at: null } : {}),
  });
  if (campaignContact.status !== 'pending') return;
  if (timezone === campaignContact.timezone) {
    if (isHeldFirstAttempt(campaignContact)) await tickAt(app, tx, campaignContact.campaignId, app.clock.now());
    return;
  }
  await campaignContacts.addPending(tx, campaignContact.campaignId, campaignContact.timezone, -1);
  await campaignContacts.addPending(tx, campaignContact.campaignId, timezone, 1);
  const campaign = await store.campaignById(tx, campaignContact.campaignId);
  if (campaign) await rescheduleContact(app, tx, campaign, campaignContact.id);
  await tickAt(app, tx, campaignContact.campaignId, app.clock.now());
}
