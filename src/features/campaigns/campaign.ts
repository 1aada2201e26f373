import type { CallStatus } from '../calls/call.ts';

export const campaignStatuses = ['draft', 'active', 'paused', 'completed'] as const;
/** What people want of a campaign. */
export type CampaignStatus = (typeof campaignStatuses)[number];

export const executionStatuses = ['draft', 'running', 'paused', 'completed'] as const;
/** What the engine does with it. */
export type ExecutionStatus = (typeof executionStatuses)[number];

export const retryableStatuses = ['busy', 'no_answer', 'failed', 'voicemail'] as const satisfies readonly CallStatus[];
export type RetryableStatus = (typeof retryableStatuses)[number];

/** `start` and `end` are kept as given; without an offset they are local to `timezone`. */
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

/** `total = contacted + failed + noAnswer + pending + inProgress` always (contract, section 6). */
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
  paceAt: number;
  waitingFor: Bottleneck | null;
  startedAt: number | null;
  completedAt: number | null;
  createdAt: number;
  updatedAt: number;
};

/** What has no free line, when that is what keeps a campaign from calling. */
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
/** Where a contact stands in a campaign (contract, section 6). Waiting for a retry is `pending` with `nextRetryAt`. */
export type CampaignContactStatus = (typeof contactStatuses)[number];

export type CampaignContact = {
  id: string;
  campaignId: string;
  contactId: string | null;
  position: number;
  name: string | null;
  phone: string;
  email: string | null;
  /** `''`: the campaign's. */
  timezone: string;
  tags: string[];
  status: CampaignContactStatus;
  attemptCount: number;
  lastAttemptedAt: number | null;
  nextRetryAt: number | null;
  callDurationSec: number | null;
  errorMessage: string | null;
  callSessionId: string | null;
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

/** A campaign as it is when its counters have moved so. */
export function withChangedStats(campaign: Campaign, changes: Partial<ContactStats>): Campaign {
  const stats = { ...campaign.stats };
  for (const name of Object.keys(changes) as Array<keyof ContactStats>) stats[name] += changes[name] ?? 0;
  return { ...campaign, stats };
}

type Bucket = Exclude<keyof ContactStats, 'total' | 'successful'>;

/** The counter in which a contact of that status is. */
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
