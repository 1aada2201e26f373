/**
 * Places what is heard in the time since the answer. Audio that comes in bursts follows on what came before; a gap that stays for a second
 * (comfort noise, a pause of the sender, a clock that runs slow) moves what follows.
 */
export type HeardClock = (lengthMs: number, elapsedMs: number) => number;

/** Frames over which a delay must stay to be taken for a gap: about a second. */
const frames = 50;
/** Audio this far behind the time was not sent: reordering and loss delay it by less. */
const maxBehindMs = 200;

export function heardClock(): HeardClock {
  let nextMs: number | undefined;
  let leastBehindMs = Infinity;
  let count = 0;

  return (lengthMs, elapsedMs) => {
    nextMs ??= Math.max(0, elapsedMs - lengthMs);
    const behindMs = elapsedMs - (nextMs + lengthMs);
    leastBehindMs = Math.min(leastBehindMs, behindMs);
    count += 1;
    if (behindMs > maxBehindMs) nextMs += behindMs;
    else if (count >= frames) nextMs = Math.max(0, nextMs + leastBehindMs);
    if (behindMs > maxBehindMs || count >= frames) {
      leastBehindMs = Infinity;
      count = 0;
    }
    const atMs = Math.round(nextMs);
    nextMs += lengthMs;
    return atMs;
  };
}
