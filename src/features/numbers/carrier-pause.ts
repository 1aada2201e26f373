/**
 * A number whose carrier is out of reach, or fails to take too many calls, places no calls for a while. Then one call, the probe, is tried; each time it fails, the next
 * pause is twice as long (docs/calling.md, "When the carrier is out of reach").
 */
export type CarrierPause = {
  pausedAt: number;
  /** No call from the number is tried before this instant. */
  probeAt: number;
  /** The number of calls tried since the pause began. */
  probes: number;
  /** Why the last call could not be handed over, as a sentence. */
  reason: string;
};

export type CarrierState = {
  /** Null while the carrier is in reach. */
  pause: CarrierPause | null;
  /** How often the carrier took a call after it had failed to take one. It took none between two failures with the same count. */
  resumptions: number;
};

/** The failed ones of the last 20 hand-overs since the last pause, a bit each; the lowest bit is the latest. */
export type RecentFailures = number;

const countedHandOvers = 20;

export const afterHandOver = (recent: RecentFailures, failed: boolean): RecentFailures =>
  ((recent << 1) | (failed ? 1 : 0)) & ((1 << countedHandOvers) - 1);

/** Whether the last hand-over failed. */
export const justFailed = (recent: RecentFailures): boolean => (recent & 1) === 1;

/** Whether so many hand-overs have failed that the number pauses: the last three, or ten of the last twenty. */
export const failsTooOften = (recent: RecentFailures): boolean =>
  (recent & 0b111) === 0b111 || recent.toString(2).replaceAll('0', '').length >= 10;

/**
 * A paused number, for notices and `parley doctor`. `noticedAt` is when its organization was last notified of a pause of this number; null
 * if it never was.
 */
export type PausedNumber = CarrierPause & { numberId: string; phone: string; noticedAt: number | null };

export const carrierInReach: CarrierState = { pause: null, resumptions: 0 };

const firstPauseMs = 5_000;
const maxPauseMs = 300_000;

/** How long to wait after a failure, in milliseconds: 5 s if nothing was tried since, twice as long after each try, at most 5 min. */
export const pauseAfter = (tries: number): number => Math.min(firstPauseMs * 2 ** Math.min(tries, 30), maxPauseMs);

/** Whether a call from the number may be tried. */
export const mayTry = ({ pause }: CarrierState, now: number): boolean => pause === null || now >= pause.probeAt;

/** The pause that begins now. */
export const pauseFrom = (now: number, reason: string): CarrierPause => ({
  pausedAt: now,
  probeAt: now + pauseAfter(0),
  probes: 0,
  reason,
});

/** The pause after a further failure: of its probe, or of a call that was handed over before the pause began. */
export const pauseLonger = (pause: CarrierPause, now: number, reason: string): CarrierPause => ({
  ...pause,
  probeAt: Math.max(pause.probeAt, now + pauseAfter(pause.probes)),
  reason,
});

/**
 * The pause while its next probe is under way. The next probe after that is scheduled as if this one had failed, so that only one probe
 * runs at a time, even if the process dies during it.
 */
export const pauseWithProbe = (pause: CarrierPause, now: number): CarrierPause => ({
  ...pause,
  probes: pause.probes + 1,
  probeAt: now + pauseAfter(pause.probes + 1),
});
