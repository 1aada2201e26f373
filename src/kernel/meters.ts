import { type Counter, createCounter, createHistogram, type Histogram } from '../base/meters.ts';
import type { Metric } from '../base/metric.ts';
import type { App } from './app.ts';
import { appLocal } from './node.ts';

const declared: ((app: App) => { metric(): Metric })[] = [];

/** Declares a counter of `/metrics` that an app adds to. Labels never hold ids, phone numbers or addresses. */
export function appCounter(...description: Parameters<typeof createCounter>): (app: App) => Counter {
  const of = appLocal(() => createCounter(...description));
  declared.push(of);
  return of;
}

/** Declares a histogram of `/metrics`, in seconds, that an app adds to. */
export function appHistogram(...description: Parameters<typeof createHistogram>): (app: App) => Histogram {
  const of = appLocal(() => createHistogram(...description));
  declared.push(of);
  return of;
}

/** All counters and histograms that were declared, also those without a sample yet. */
export const declaredMetrics = (app: App): Metric[] => declared.map((of) => of(app).metric());
