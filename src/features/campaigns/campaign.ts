import type { CallStatus } from '../calls/call.ts';

export const campaignStatuses = ['draft', 'active', 'paused', 'completed'] as const;
/** The state that the owner of a campaign has chosen. */
export type CampaignStatus = (typeof campaignStatuses)[number];

export const executionStatuses = ['draft', 'running', 'paused', 'completed'] as const;
/** What parley does with the campaign. */
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

/** Always `total = contacted + failed + noAnswer + pending + inProgress` (contract, section 6). */
export type ContactStats = {
  total: number;
  contacted: number;
  successful: number;
  failed: number;
  noAnswer: number;
  pending: number;
  inProgress: number;
};

export type Campaign = {
  id: string;
  orgId: string;
  name: string;
  agentId: string | null;
  phoneNumberId: string | null;
  fromPhoneNumber: string | null;
  status: CampaignStatus;
  executionStatus: ExecutionStatus;
  schedule: Schedule;
  maxCps: number;
  retryOn: readonly RetryableStatus[];
  stats: ContactStats;
  /** When the next call may start (calls/pacing.ts). */
  paceAt: number;
  waitingFor: Bottleneck | null;
  startedAt: number | null;
  completedAt: number | null;
  createdAt: number;
  updatedAt: number;
};

/** Whose limit of concurrent calls keeps a campaign from calling. */
export type Bottleneck = 'campaign' | 'number' | 'organization';

export const contactStatuses = [
  'pending',
  'in_progress',
  'completed',
  'failed',
  'no_answer',
  'busy',
  'voicemail',
  'cancelled',
  'expired',
] as const;
/** The status of a contact in a campaign (contract, section 6). One that waits for a retry is `pending` and has `nextRetryAt`. */
export type CampaignContactStatus = (typeof contactStatuses)[number];

/** A contact in a campaign, with its own copy of name, phone, e-mail and time zone. */
export type CampaignContact = {
  id: string;
  campaignId: string;
  contactId: string | null;
  /** Its place in the campaign's queue. */
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
  callSessionId: string | null;
  /** How often the carrier was out of reach for this attempt while it took other calls. */
  unreachableCount: number;
  /** `CarrierState.resumptions` of the number at the last of those failures. */
  unreachableResumptions: number | null;
};

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

/** The campaign with these changes added to its counters. */
export function withChangedStats(campaign: Campaign, changes: Partial<ContactStats>): Campaign {
  const stats = { ...campaign.stats };
  for (const name of Object.keys(changes) as Array<keyof ContactStats>) stats[name] += changes[name] ?? 0;
  return { ...campaign, stats };
}

type Bucket = Exclude<keyof ContactStats, 'total' | 'successful'>;

/** The counter that counts contacts with this status. */
export function counterOf(status: CampaignContactStatus): Bucket {
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
