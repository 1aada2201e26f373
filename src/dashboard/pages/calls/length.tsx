import type { Call } from '../../client.ts';
import { LiveLength } from '../../parts/live-length.tsx';

type Timed = Pick<Call, 'state' | 'answered_at' | 'duration_sec'>;

/** How long a call has lasted since it was answered. */
export const Length = ({ call: { state, answered_at: at, duration_sec: seconds } }: { call: Timed }) => (
  <LiveLength since={state === 'ended' ? null : at} seconds={seconds} />
);
