/** What all calls of the thread have in common, for `/metrics`. Engines count into it. */
export type SpeechMetrics = {
  /** Live sessions with speech services. */
  sessions: number;
  interruptions: number;
  /** By code. */
  errors: Record<string, number>;
  /** From the end of a turn of the other side to the first packet of the answer: how many took at most so many milliseconds. */
  latency: { atMost: Record<number, number>; count: number; sumMs: number };
};

const latencyBoundsMs = [100, 200, 300, 500, 800, 1200, 2000, 5000];

export const speechMetrics = (): SpeechMetrics => ({
  sessions: 0,
  interruptions: 0,
  errors: {},
  latency: { atMost: Object.fromEntries(latencyBoundsMs.map((ms) => [ms, 0])), count: 0, sumMs: 0 },
});
