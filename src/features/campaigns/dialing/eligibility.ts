import type { CallStatus } from '../../calls/call.ts';
import { mayTry } from '../../numbers/carrier-pause.ts';
import type { Bottleneck, Campaign, CampaignContact, CampaignContactStatus } from '../campaign.ts';
import type { Dialing } from './dialing-store.ts';
import { mayRetry } from './retry.ts';
import type { ReasonCode } from './reason-codes.ts';
import { endOf, startOf, windowOf } from '../schedule/schedule.ts';
import { isOpen, nextOpening } from '../schedule/window.ts';

/**
 * Whether a contact may be called now (docs/calling.md). The tick that chooses whom to call, the last look directly before each dial, and
 * `why` all use `campaignObstacles` and `contactObstacles`, so they cannot disagree.
 */

/** Something that keeps a campaign from calling anybody, or one contact from being called. */
export type Obstacle = {
  /** The status that the obstacle gives a contact that was to be called: `pending` if it keeps waiting, else its final status. */
  becomes: 'pending' | Exclude<CampaignContactStatus, 'pending' | 'in_progress'>;
  /** For `why`, as a sentence. */
  reason: string;
  code: ReasonCode;
  /** When the obstacle ends by itself. Missing if only an event ends it, such as an edit or the end of a call. */
  until?: number;
  /** Set if the obstacle is a limit of concurrent calls. */
  bottleneck?: Bottleneck;
};

export type Limits = {
  orgMaxConcurrent: number;
  /** Why the carrier has no line for the call; undefined if it has one, or if the call occupies a line already. */
  noLine?: string | undefined;
};

/**
 * The obstacles that keep the campaign from calling anybody now; lasting ones first. `own` is 1 if the question is asked for an attempt
 * that is already counted as live, else 0.
 */
export function campaignObstacles(
  { campaign, agent, number, org, carrier }: Dialing,
  { orgMaxConcurrent, noLine }: Limits,
  now: number,
  own: 0 | 1 = 0,
): Obstacle[] {
  const start = startOf(campaign.schedule);
  const end = endOf(campaign.schedule);
  const obstacles: Obstacle[] = [];
  const stop = (becomes: Obstacle['becomes'], code: ReasonCode, reason: string, rest: Partial<Obstacle> = {}): void =>
    void obstacles.push({ becomes, code, reason, ...rest });
  const { status, executionStatus } = campaign;
  if (org.isStopped) stop('pending', 'calling_stopped', 'Calling is stopped for the whole organization.');
  if (status === 'completed')
    stop('expired', 'campaign_not_running', 'The campaign is not running: its executionStatus is completed.');
  else if (executionStatus !== 'running') {
    stop('pending', 'campaign_not_running', `The campaign is not running: its executionStatus is ${executionStatus}.`);
  } else if (agent?.status !== 'ACTIVE') stop('pending', 'agent_inactive', 'The agent of the campaign is not ACTIVE.');
  if (end !== null && now >= end) stop('expired', 'campaign_ended', 'The end of the campaign has passed.');
  if (number?.status !== 'active') stop('pending', 'no_active_number', 'The campaign has no active caller number.');
  if (start !== null && now < start)
    stop('pending', 'campaign_not_started', 'The campaign has not started yet.', { until: start });
  if (campaign.stats.inProgress - own >= campaign.schedule.maxConcurrent) {
    const reason = `All ${campaign.schedule.maxConcurrent} lines of the campaign are in use.`;
    stop('pending', 'campaign_lines_in_use', reason, { bottleneck: 'campaign' });
  }
  if (number && number.inFlight - own >= number.maxConcurrent) {
    stop('pending', 'number_lines_in_use', 'All lines of the number are in use.', { bottleneck: 'number' });
  }
  if (org.inFlight - own >= orgMaxConcurrent) {
    stop('pending', 'organization_lines_in_use', 'All lines of the organization are in use.', {
      bottleneck: 'organization',
    });
  }
  // Campaigns that wait for a line of the carrier wait in the same queue as those that wait for the organization's limit.
  if (noLine !== undefined) stop('pending', 'carrier_lines_in_use', noLine, { bottleneck: 'organization' });
  if (number && carrier.pause !== null && !mayTry(carrier, now)) {
    const reason = `The carrier of ${number.phone} is out of reach: ${carrier.pause.reason}`;
    stop('pending', 'carrier_out_of_reach', reason, { until: carrier.pause.probeAt });
  }
  return obstacles;
}

/** The facts that decide whether a contact may be called now. */
export type ContactFacts = {
  isDoNotCall: boolean;
  /** How the call before the attempt ended; undefined at a first attempt. */
  lastOutcome: CallStatus | undefined;
  /** Number of the attempt that is to be made. */
  attempt: number;
  /** The limits of calls to the number, and the guard hours, that hold the contact back. */
  held: readonly Obstacle[];
};

/** The obstacles that keep the contact from being called now, apart from those of its campaign. */
export function contactObstacles(
  campaign: Campaign,
  contact: Pick<CampaignContact, 'timezone'>,
  { isDoNotCall, lastOutcome, attempt, held }: ContactFacts,
  now: number,
): Obstacle[] {
  const obstacles: Obstacle[] = [];
  if (isDoNotCall) obstacles.push({ becomes: 'cancelled', code: 'do_not_call', reason: 'On the do-not-call list.' });
  if (attempt > 1 && !mayRetry(campaign, { attemptCount: attempt - 1, status: lastOutcome ?? 'failed' })) {
    const becomes = lastOutcome ?? 'failed';
    obstacles.push({ becomes, code: 'no_more_retries', reason: 'The campaign makes no more retries.' });
  }
  const window = windowOf(campaign, contact.timezone);
  if (!isOpen(window, now)) {
    const until = nextOpening(window, now) ?? Infinity;
    obstacles.push({ becomes: 'pending', code: 'window_closed', reason: 'The calling window is closed.', until });
  }
  return held.length === 0 ? obstacles : [...obstacles, ...held];
}

/** The obstacle that decides the contact's status: an obstacle that gives a final status goes before those that only delay the call. */
export const decisive = (obstacles: readonly Obstacle[]): Obstacle | undefined =>
  obstacles.find(({ becomes }) => becomes !== 'pending') ?? obstacles[0];
