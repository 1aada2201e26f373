import { serverNow, tick } from '../state/clock.ts';
import { duration } from '../text/plural.ts';

/** How long a call has lasted. `since`: the instant from which a live call counts, by the server's clock; null: `seconds` as they are. */
export function LiveLength({ since, seconds }: { since: string | null; seconds: number }) {
  if (since === null) return <>{duration(seconds)}</>;
  void tick.value;
  const now = serverNow();
  return <>{duration(now === undefined ? seconds : (now - Date.parse(since)) / 1000)}</>;
}
