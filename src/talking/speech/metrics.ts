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

/** Codes come from a service: further ones than these are counted together. */
const maxCodes = 50;

export function countError({ errors }: SpeechMetrics, code: string): void {
  const known = code in errors || Object.keys(errors).length < maxCodes ? code.slice(0, 100) : 'other';
  errors[known] = (errors[known] ?? 0) + 1;
}

export function countLatency({ latency }: SpeechMetrics, ms: number): void {
  for (const bound of latencyBoundsMs) if (ms <= bound) latency.atMost[bound]! += 1;
  latency.count += 1;
  latency.sumMs += ms;
}
