import type { CallStatus } from '../calls/call.ts';
import { mayTry } from '../numbers/carrier-pause.ts';
import type { Bottleneck, Campaign, CampaignContact, CampaignContactStatus } from './campaign.ts';
import type { Dialing } from './dialing-store.ts';
import { mayRetry } from './retry.ts';
import { endOf, startOf, windowOf } from './schedule.ts';
import { isOpen, nextOpening } from './window.ts';

/**
 * Whether a contact may be called now (contract, section 6, "Dialing" and "The last look"). The tick that chooses whom to call, the last
 * look directly before each dial and `why` all decide by these two functions, so they cannot disagree.
 */

/** Something that keeps a campaign from calling anybody, or one contact from being called. */
export type Obstacle = {
  /** What a contact becomes whose attempt meets it: it waits on, or has its last status. */
  becomes: 'pending' | Exclude<CampaignContactStatus, 'pending' | 'in_progress'>;
  /** For `why`, as a sentence. */
  reason: string;
  /** When it ends by itself. Without it, only an event ends it: an edit, the end of a call. */
  until?: number;
  /** Whose limit of concurrent calls it is. */
  bottleneck?: Bottleneck;
};

export type Limits = { orgMaxConcurrent: number };

/**
 * What keeps the campaign from calling anybody now; lasting obstacles first. `own` is 1 if an attempt that is already counted as live asks
 * for itself, else 0.
 */
export function campaignObstacles(
  { campaign, agent, number, org, carrier }: Dialing,
  { orgMaxConcurrent }: Limits,
  now: number,
  own: 0 | 1 = 0,
): Obstacle[] {
  const start = startOf(campaign.schedule);
  const end = endOf(campaign.schedule);
  const obstacles: Obstacle[] = [];
  const stop = (becomes: Obstacle['becomes'], reason: string, rest: Partial<Obstacle> = {}): void =>
    void obstacles.push({ becomes, reason, ...rest });
  const { status, executionStatus } = campaign;
  if (status === 'completed') stop('expired', 'The campaign is not running: its executionStatus is completed.');
  else if (executionStatus !== 'running') {
    stop('pending', `The campaign is not running: its executionStatus is ${executionStatus}.`);
  } else if (agent?.status !== 'ACTIVE') stop('pending', 'The agent of the campaign is not ACTIVE.');
  if (end !== null && now >= end) stop('expired', 'The end of the campaign has passed.');
  if (number?.status !== 'active') stop('pending', 'The campaign has no active caller number.');
  if (start !== null && now < start) stop('pending', 'The campaign has not started yet.', { until: start });
  if (campaign.stats.inProgress - own >= campaign.schedule.maxConcurrent) {
    const reason = `All ${campaign.schedule.maxConcurrent} lines of the campaign are in use.`;
    stop('pending', reason, { bottleneck: 'campaign' });
  }
  if (number && number.inFlight - own >= number.maxConcurrent) {
    stop('pending', 'All lines of the number are in use.', { bottleneck: 'number' });
  }
  if (org.inFlight - own >= orgMaxConcurrent) {
    stop('pending', 'All lines of the organization are in use.', { bottleneck: 'organization' });
  }
  if (number && carrier.pause !== null && !mayTry(carrier, now)) {
    const reason = `The carrier of ${number.phone} is out of reach: ${carrier.pause.reason}`;
    stop('pending', reason, { until: carrier.pause.probeAt });
  }
  return obstacles;
}

/** What is known of a contact at the moment of the decision. */
export type ContactFacts = {
  isDoNotCall: boolean;
  /** How the call before the attempt ended; undefined at a first attempt. */
  lastOutcome: CallStatus | undefined;
  /** Number of the attempt that is to be made. */
  attempt: number;
};

/** What keeps the contact from being called now, if the campaign may call. */
export function contactObstacles(
  campaign: Campaign,
  contact: Pick<CampaignContact, 'timezone'>,
  { isDoNotCall, lastOutcome, attempt }: ContactFacts,
  now: number,
): Obstacle[] {
  const obstacles: Obstacle[] = [];
  if (isDoNotCall) obstacles.push({ becomes: 'cancelled', reason: 'On the do-not-call list.' });
  if (attempt > 1 && !mayRetry(campaign, { attemptCount: attempt - 1, status: lastOutcome ?? 'failed' })) {
    obstacles.push({ becomes: lastOutcome ?? 'failed', reason: 'The campaign makes no more retries.' });
  }
  const window = windowOf(campaign, contact.timezone);
  if (!isOpen(window, now)) {
    const until = nextOpening(window, now) ?? Infinity;
    obstacles.push({ becomes: 'pending', reason: 'The calling window is closed.', until });
  }
  return obstacles;
}

/** The obstacle that decides what becomes of an attempt: one that ends it goes before those that only delay it. */
export const decisive = (obstacles: readonly Obstacle[]): Obstacle | undefined =>
  obstacles.find(({ becomes }) => becomes !== 'pending') ?? obstacles[0];
