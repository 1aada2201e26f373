import { every, monotonicMs } from '../base/clock.ts';
import { shortTimes } from '../base/meters.ts';
import type { App } from '../kernel/app.ts';
import { appHistogram } from '../kernel/meters.ts';

const lags = appHistogram(
  {
    name: 'parley_event_loop_lag_seconds',
    help: 'How late a timer of the main thread fires, ten times a second: what a request waits before it is looked at.',
  },
  shortTimes,
);

const intervalMs = 100;

/**
 * Measures until the returned function is called. With a timer rather than `monitorEventLoopDelay`, which reports percentiles but no
 * buckets that a scraper could add up.
 */
export function measureEventLoopLag(app: App): () => void {
  let expectedMs = monotonicMs() + intervalMs;
  return every(intervalMs, () => {
    const nowMs = monotonicMs();
    lags(app).observe(Math.max(0, nowMs - expectedMs) / 1000);
    expectedMs = nowMs + intervalMs;
  });
}
