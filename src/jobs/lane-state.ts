/**
 * What the runner knows of the jobs of a lane that are in the database and not claimed. (Claimed ones wait in memory, in `LaneJobs`.)
 *
 *     idle ── a job falls due ──> due ── a claim is requested ──> claiming ── its commit is on disk ──> idle, due or blocked
 *
 * `blocked`: the jobs that are due have to wait for those in memory with the same `exclusive` text.
 */
export type LaneState =
  | { name: 'idle' }
  | { name: 'due' }
  | {
      name: 'claiming';
      /** The lane holds a slot for the first job that it claims. */
      hasSlot: boolean;
      /** A job fell due meanwhile, which the claim may have missed. */
      isDueAgain: boolean;
    }
  | { name: 'blocked' };

export const idle: LaneState = { name: 'idle' };
const due: LaneState = { name: 'due' };
const blocked: LaneState = { name: 'blocked' };

/** A job of the lane is due. */
export const withDueJobs = (state: LaneState): LaneState =>
  state.name === 'claiming' ? { ...state, isDueAgain: true } : due;

export const claimingFrom = (hasSlot: boolean): LaneState => ({ name: 'claiming', hasSlot, isDueAgain: false });

/** A job in memory has ended for which others with its text may have waited. */
export const unblocked = (state: LaneState): LaneState => (state.name === 'blocked' ? due : state);

/** @param found whether jobs are left that are due, and whether all of these are blocked */
export function afterClaim(state: LaneState, found: { isDue: boolean; isBlocked: boolean }): LaneState {
  const isDueAgain = state.name === 'claiming' && state.isDueAgain;
  if (!found.isDue && !isDueAgain) return idle;
  return found.isBlocked ? blocked : due;
}

/** Whether unclaimed jobs are due, and no claim is under way. */
export const awaitsClaim = ({ name }: LaneState): boolean => name === 'due' || name === 'blocked';
