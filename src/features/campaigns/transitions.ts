import { conflict, type Fault } from '../../base/errors.ts';
import type { CampaignStatus, ExecutionStatus } from './campaign.ts';

export type States = { status: CampaignStatus; executionStatus: ExecutionStatus };

const executionFor: Readonly<Record<CampaignStatus, ExecutionStatus>> = {
  draft: 'draft',
  active: 'running',
  paused: 'paused',
  completed: 'completed',
};
const statusFor: Readonly<Record<ExecutionStatus, CampaignStatus>> = {
  draft: 'draft',
  running: 'active',
  paused: 'paused',
  completed: 'completed',
};

/** Allowed changes of `status` (docs/api/campaigns.md, "Statuses"). Keeping it is always allowed. */
const moves: Readonly<Record<CampaignStatus, readonly CampaignStatus[]>> = {
  draft: ['active', 'completed'],
  active: ['paused', 'completed'],
  paused: ['active', 'completed'],
  completed: ['active'],
};

/** Faults of a request that sets both statuses: they must mean the same, except that `active` may come with `paused`. */
export function statusFaults({ status, executionStatus }: Partial<States>): Fault[] {
  if (status === undefined || executionStatus === undefined || executionFor[status] === executionStatus) return [];
  if (status === 'active' && executionStatus === 'paused') return [];
  const message = `status ${status} requires executionStatus ${executionFor[status]}, not ${executionStatus}`;
  return [
    { path: 'status', message },
    { path: 'executionStatus', message },
  ];
}

/**
 * The statuses after a request that sets one or both of them; if it sets one, the other follows. Call it only if `statusFaults` found
 * nothing.
 * @throws conflict when the change is not allowed
 */
export function moveTo(current: States, wanted: Partial<States>): States {
  const next = requestedStates(current, wanted);
  if (next.status === current.status || moves[current.status].includes(next.status)) return next;
  const possible = moves[current.status].join(' or ');
  throw conflict(`The campaign is ${current.status} and cannot become ${next.status}; it can become ${possible}.`);
}

function requestedStates(current: States, { status, executionStatus }: Partial<States>): States {
  if (status !== undefined && executionStatus !== undefined) return { status, executionStatus };
  if (status !== undefined && status !== current.status) return { status, executionStatus: executionFor[status] };
  if (executionStatus !== undefined && executionStatus !== current.executionStatus) {
    return { status: statusFor[executionStatus], executionStatus };
  }
  return { status: current.status, executionStatus: current.executionStatus };
}
