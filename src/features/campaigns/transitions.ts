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

/** Moves of `status` (contract, section 6); staying is always allowed. */
const moves: Readonly<Record<CampaignStatus, readonly CampaignStatus[]>> = {
  draft: ['active', 'completed'],
  active: ['paused', 'completed'],
  paused: ['active', 'completed'],
  completed: [],
};

/** Both statuses at once must agree, but for `active` with `paused`: held (contract, section 6). */
export function statusFaults({ status, executionStatus }: Partial<States>): Fault[] {
  if (status === undefined || executionStatus === undefined || executionFor[status] === executionStatus) return [];
  if (status === 'active' && executionStatus === 'paused') return [];
  const message = `status ${status} goes with executionStatus ${executionFor[status]}, not ${executionStatus}`;
  return [
    { path: 'status', message },
    { path: 'executionStatus', message },
  ];
}

/**
 * Where a request to change one or both of the statuses, in which `statusFaults` finds nothing, leads. Setting one moves the other.
 * @throws conflict when the move is not allowed
 */
export function moveTo(current: States, wanted: Partial<States>): States {
  const next = meant(current, wanted);
  if (next.status === current.status || moves[current.status].includes(next.status)) return next;
  const possible = moves[current.status];
  const hint = possible.length > 0 ? `it can become ${possible.join(' or ')}` : 'it stays so; make a new campaign';
  throw conflict(`The campaign is ${current.status} and cannot become ${next.status}; ${hint}.`);
}

function meant(current: States, { status, executionStatus }: Partial<States>): States {
  if (status !== undefined && executionStatus !== undefined) return { status, executionStatus };
  if (status !== undefined && status !== current.status) return { status, executionStatus: executionFor[status] };
  if (executionStatus !== undefined && executionStatus !== current.executionStatus) {
    return { status: statusFor[executionStatus], executionStatus };
  }
  return { status: current.status, executionStatus: current.executionStatus };
}
