import type { SpokenFacts } from '../../telephony/audio/speech.ts';
import { countLatency, type SpeechMetrics } from './metrics.ts';
import type { ServerEvent } from './realtime/server-event.ts';

/** The latencies of the last answers: enough for the median of any call. */
const maxLatencies = 1000;

/** The figures of one call's speech, which also count for the whole thread. */
export function createCounts(model: string | null, metrics: SpeechMetrics) {
  const latencies: number[] = [];
  const facts = { sessions: 0, turns: 0, interruptions: 0 };
  let inputTokens: number | null = null;
  let outputTokens: number | null = null;

  return {
    sessionOpened(): void {
      facts.sessions += 1;
      metrics.sessions += 1;
    },
    sessionClosed: () => void (metrics.sessions -= 1),
    interrupted(): void {
      facts.interruptions += 1;
      metrics.interruptions += 1;
    },
    turn(latencyMs: number): void {
      facts.turns += 1;
      if (latencies.length < maxLatencies) latencies.push(latencyMs);
      countLatency(metrics, latencyMs);
    },
    usage({ response }: ServerEvent): void {
      const { input_tokens: input, output_tokens: output } = response?.usage ?? {};
      if (typeof input === 'number') inputTokens = (inputTokens ?? 0) + input;
      if (typeof output === 'number') outputTokens = (outputTokens ?? 0) + output;
    },
    facts(): SpokenFacts {
      const sorted = latencies.toSorted((a, b) => a - b);
      const middle = sorted.length / 2;
      const median = sorted.length === 0 ? null : (sorted[Math.ceil(middle) - 1]! + sorted[Math.floor(middle)]!) / 2;
      return {
        engine: 'realtime',
        model,
        ...facts,
        input_tokens: inputTokens,
        output_tokens: outputTokens,
        latencyMs: median === null ? null : Math.round(median),
      };
    },
  };
}
