/**
 * A number whose carrier is out of reach places no calls for a while. Then one call, the probe, is tried; each failure doubles the pause.
 * (Contract, section 6, "The last look".)
 */
export type CarrierPause = {
  pausedAt: number;
  /** The next call from the number is not tried before this instant. */
  probeAt: number;
  /** Calls tried since the pause began. */
  probes: number;
  /** Why the last call could not be handed over, as a sentence. */
  reason: string;
};

export type CarrierState = {
  /** Null while the carrier is in reach. */
  pause: CarrierPause | null;
  /** How many pauses of the number have ended. A contact that fails at different counts fails while others get through. */
  resumptions: number;
};

/** A number with a pause, for notices and `parley doctor`. */
export type PausedNumber = CarrierPause & { numberId: string; phone: string; noticedAt: number | null };

export const carrierInReach: CarrierState = { pause: null, resumptions: 0 };

const firstPauseMs = 5_000;
const maxPauseMs = 300_000;

/** How long to wait after the failure that follows this many probes: 5 s, doubling to 5 min. */
export const pauseAfter = (probes: number): number => Math.min(firstPauseMs * 2 ** Math.min(probes, 30), maxPauseMs);

/** Whether a call from the number may be tried. */
export const mayTry = ({ pause }: CarrierState, now: number): boolean => pause === null || now >= pause.probeAt;

/** The pause that begins with a failure. */
export const pauseFrom = (now: number, reason: string): CarrierPause => ({
  pausedAt: now,
  probeAt: now + pauseAfter(0),
  probes: 0,
  reason,
});

/** The pause after a further failure: of its probe, or of a call that was handed over before it began. */
export const pauseLonger = (pause: CarrierPause, now: number, reason: string): CarrierPause => ({
  ...pause,
  probeAt: Math.max(pause.probeAt, now + pauseAfter(pause.probes)),
  reason,
});

/**
 * The pause once its next probe is under way. It counts as failed until the carrier answers, so that no second probe starts beside it,
 * also if the process dies.
 */
export const pauseWithProbe = (pause: CarrierPause, now: number): CarrierPause => ({
  ...pause,
  probes: pause.probes + 1,
  probeAt: now + pauseAfter(pause.probes + 1),
});
