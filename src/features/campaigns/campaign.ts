import type { Cause } from './contacts/cause.ts';
import type { CallStatus, ScriptedCall } from '../calls/call.ts';

export const campaignStatuses = ['draft', 'active', 'paused', 'completed'] as const;
/** The state that the owner of a campaign has chosen. */
export type CampaignStatus = (typeof campaignStatuses)[number];

export const executionStatuses = ['draft', 'running', 'paused', 'completed'] as const;
/** The state in which parley executes the campaign. It can differ from the chosen one: an active campaign may be paused. */
export type ExecutionStatus = (typeof executionStatuses)[number];

export const retryableStatuses = ['busy', 'no_answer', 'failed', 'voicemail'] as const satisfies readonly CallStatus[];
export type RetryableStatus = (typeof retryableStatuses)[number];

/** `start` and `end` are stored as given; without an offset they are local to `timezone`. */
export type Schedule = {
  start: string | null;
  end: string | null;
  windowStart: string | null;
  windowEnd: string | null;
  windowDays: readonly number[];
  timezone: string;
  maxConcurrent: number;
  retryAttempts: number;
  retryGapMin: number;
};

/** Always `total = contacted + failed + noAnswer + pending + inProgress` (docs/api/campaigns.md, "Statistics"). */
export type ContactStats = {
  total: number;
  contacted: number;
  successful: number;
  failed: number;
  noAnswer: number;
  pending: number;
  inProgress: number;
};

export type NumberUse = { day: string; used: Readonly<Record<string, number>> };

export type Campaign = {
  id: string;
  orgId: string;
  name: string;
  agentId: string | null;
  /** The first of its numbers, and its phone. */
  phoneNumberId: string | null;
  fromPhoneNumber: string | null;
  /** All of its numbers; empty if it has none. */
  phoneNumberIds: readonly string[];
  /** Calls come from the number that is most like the called one. */
  localPresence: boolean;
  status: CampaignStatus;
  executionStatus: ExecutionStatus;
  schedule: Schedule;
  maxCps: number;
  retryOn: readonly RetryableStatus[];
  stats: ContactStats;
  /** When the next call may start (calls/pacing.ts). */
  paceAt: number;
  waitingFor: Bottleneck | null;
  /** The number in whose queue the campaign waits: of several, the one that the next call comes from. */
  queueNumberId: string | null;
  /** How often each of several numbers was used on a day of the campaign. */
  numberUse: NumberUse | null;
  /** When the tick runs for which the queue of its number woke the campaign; null if it did not (dialing/capacity-queue.ts). */
  wakeAt: number | null;
  version: number;
  startedAt: number | null;
  completedAt: number | null;
  /** What a job is doing to the contacts after the campaign was completed or reopened. */
  contactsChange: 'expiring' | 'reopening' | null;
  createdAt: number;
  updatedAt: number;
};

/** Which limit keeps a campaign from calling: its own, its number's or the organization's. */
export type Bottleneck = 'campaign' | 'number' | 'organization';

export const finalStatuses = ['completed', 'failed', 'no_answer', 'busy', 'voicemail', 'cancelled', 'expired'] as const;
/** A status that a contact keeps: it is not called any more. */
export type FinalStatus = (typeof finalStatuses)[number];

export const contactStatuses = ['pending', 'in_progress', ...finalStatuses] as const;
/**
 * The status of a contact in a campaign (docs/api/campaigns.md, "Contacts of a campaign"). A contact that waits for a retry is `pending`
 * and has `nextRetryAt`.
 */
export type CampaignContactStatus = (typeof contactStatuses)[number];

/** A contact in a campaign, with its own copy of name, phone, e-mail and time zone. */
export type CampaignContact = {
  id: string;
  campaignId: string;
  contactId: string | null;
  /** Its position in the campaign's queue. */
  position: number;
  name: string | null;
  phone: string;
  email: string | null;
  /** The contact's own; `''` means the campaign's. */
  timezone: string;
  tags: string[];
  status: CampaignContactStatus;
  attemptCount: number;
  lastAttemptedAt: number | null;
  nextRetryAt: number | null;
  callDurationSec: number | null;
  errorMessage: string | null;
  /** The last call failed because the number does not exist. */
  numberInvalid: boolean;
  callSessionId: string | null;
  /** How many times this attempt found the carrier out of reach. Counted again only once another call got through in between. */
  unreachableCount: number;
  /** `CarrierState.resumptions` of the number when the carrier was last found out of reach; null if it never was. */
  unreachableResumptions: number | null;
  /** How many times this attempt found the carrier out of reach since a limit last held it back. */
  unreachableTries: number;
  /** Why a cancelled contact is not called. */
  cause: Cause | null;
  /** How the simulated carrier lets calls to the contact go; null: as the dialed number says. */
  simulate: ScriptedCall | null;
};

/**
 * A contact as readers see it. When a campaign is completed, its pending contacts are expired from that instant on, while a job changes
 * their rows in batches.
 */
export const asSeen = ({ isExpiring }: { isExpiring: boolean }, contact: CampaignContact): CampaignContact =>
  isExpiring && contact.status === 'pending' ? { ...contact, status: 'expired', nextRetryAt: null } : contact;

/**
 * The stored statuses of contacts that readers see with one of `statuses`: a stored `pending` is seen as `expired` while a job expires the
 * contacts of a completed campaign.
 */
export function storedStatuses(
  { isExpiring }: { isExpiring: boolean },
  statuses: readonly CampaignContactStatus[],
): readonly CampaignContactStatus[] {
  if (!isExpiring) return statuses;
  const final = statuses.filter((status) => status !== 'pending');
  return final.includes('expired') ? [...final, 'pending'] : final;
}

export const defaultMaxCps = 1;

export const defaultSchedule: Schedule = {
  start: null,
  end: null,
  windowStart: null,
  windowEnd: null,
  windowDays: [1, 2, 3, 4, 5, 6, 7],
  timezone: 'UTC',
  maxConcurrent: 10,
  retryAttempts: 0,
  retryGapMin: 60,
};

/** A copy of the campaign with these changes added to its counters. */
export function withChangedStats(campaign: Campaign, changes: Partial<ContactStats>): Campaign {
  const stats = { ...campaign.stats };
  for (const name of Object.keys(changes) as Array<keyof ContactStats>) stats[name] += changes[name] ?? 0;
  return { ...campaign, stats };
}

type Counter = Exclude<keyof ContactStats, 'total' | 'successful'>;

/** The counter of the contacts with this status. */
export function counterOf(status: CampaignContactStatus): Counter {
  switch (status) {
    case 'pending':
      return 'pending';
    case 'in_progress':
      return 'inProgress';
    case 'completed':
      return 'contacted';
    case 'no_answer':
    case 'busy':
    case 'voicemail':
      return 'noAnswer';
    case 'failed':
    case 'cancelled':
    case 'expired':
      return 'failed';
  }
}
