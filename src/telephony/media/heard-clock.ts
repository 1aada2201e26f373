/**
 * Places what is heard in the time since the answer. By the sender's own time, so that audio keeps its place whether it comes evenly, in a
 * burst after the network stood still, or after silence for lost packets. Nothing is heard before it was spoken, so the packet with the
 * shortest way says how the sender's time lies in ours; it is looked at again every second, because clocks drift.
 * `timestamp`: of the audio's first sample (RTP, 8 kHz, 32 bits that wrap); null for silence in place of a lost packet.
 */
export type HeardClock = (lengthMs: number, elapsedMs: number, timestamp: number | null) => number;

const samplesPerMs = 8;
/** Frames over which audio must come later than before until it is placed later: about a second. */
const frames = 50;
/** Beyond this, the sender's time was begun anew, or stood still in a pause, and what comes is placed when it comes. */
const maxBehindMs = 1000;

export function heardClock(): HeardClock {
  /** Where the audio goes that follows on what came last, and its timestamp. */
  let nextMs: number | undefined;
  let nextTimestamp = 0;
  let leastBehindMs = Infinity;
  let count = 0;

  /** Puts the place where the way of the audio says. */
  function align(lengthMs: number, elapsedMs: number): void {
    const behindMs = elapsedMs - (nextMs! + lengthMs);
    leastBehindMs = Math.min(leastBehindMs, behindMs);
    count += 1;
    const isOver = behindMs > maxBehindMs || behindMs < 0;
    if (!isOver && count < frames) return;
    nextMs = Math.max(0, nextMs! + (isOver ? behindMs : leastBehindMs));
    leastBehindMs = Infinity;
    count = 0;
  }

  return (lengthMs, elapsedMs, timestamp) => {
    if (nextMs === undefined) nextMs = Math.max(0, elapsedMs - lengthMs);
    else if (timestamp !== null) nextMs += ((timestamp - nextTimestamp) | 0) / samplesPerMs;
    if (timestamp !== null) align(lengthMs, elapsedMs);
    const atMs = Math.round(nextMs);
    nextMs += lengthMs;
    nextTimestamp = ((timestamp ?? nextTimestamp) + lengthMs * samplesPerMs) | 0;
    return atMs;
  };
}
