import type { Call } from '../../client.ts';
import { serverNow, tick } from '../../state/clock.ts';
import { duration } from '../../text/plural.ts';

type Timed = Pick<Call, 'state' | 'answered_at' | 'duration_sec'>;

/** How long a call has lasted; while it is live, by the server's clock. */
export function Length({ call: { state, answered_at: at, duration_sec: seconds } }: { call: Timed }) {
  if (state === 'ended' || at === null) return <>{duration(seconds)}</>;
  void tick.value;
  const now = serverNow();
  return <>{duration(now === undefined ? seconds : (now - Date.parse(at)) / 1000)}</>;
}
