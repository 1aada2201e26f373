import { hash, timingSafeEqual } from 'node:crypto';
import type { Context } from 'koa';
import type { App } from '../kernel/app.ts';
import { createCounter, createHistogram, shortTimes } from '../base/meters.ts';
import type { Metric, Sample } from '../base/metric.ts';
import { authenticate, bearerToken, hasRole, refuseRole } from './auth.ts';

const escapeLabel = (text: string): string =>
  text
    .replaceAll('\\', String.raw`\\`)
    .replaceAll('"', String.raw`\"`)
    .replaceAll('\n', String.raw`\n`);

function sampleLine(name: string, { value, labels = {}, suffix }: Sample): string {
  const pairs = Object.entries(labels).map(([label, text]) => `${label}="${escapeLabel(text)}"`);
  return `${name}${suffix ?? ''}${pairs.length > 0 ? `{${pairs.join(',')}}` : ''} ${value}`;
}

/** By hand, because the format is three kinds of line, and prom-client would bring its own registry and clocks. */
export const render = (metrics: readonly Metric[]): string =>
  metrics
    .flatMap(({ name, help, type, samples }) => [
      `# HELP ${name} ${help}`,
      `# TYPE ${name} ${type}`,
      ...samples.map((sample) => sampleLine(name, sample)),
    ])
    .join('\n')
    .concat('\n');

export type RequestMeter = {
  /** Counts an answered request under its operation, or `none`. Not under its path: callers could create unlimited time series. */
  count(ctx: Context, durationMs: number): void;
  metrics(): Metric[];
};

export function createRequestMeter(): RequestMeter {
  const answered = createCounter({
    name: 'parley_http_requests_total',
    help: 'Requests answered since the start, by operation and status class.',
    labelled: true,
  });
  const durations = createHistogram(
    {
      name: 'parley_http_request_duration_seconds',
      help: 'How long answering requests took, by operation, method and status.',
      labelled: true,
    },
    shortTimes,
  );
  return {
    count(ctx, durationMs) {
      const operation = String(ctx.state['operation'] ?? 'none');
      answered.add({ operation, status: `${Math.floor(ctx.status / 100)}xx` });
      durations.observe(durationMs / 1000, { operation, method: methodOf(ctx), status: String(ctx.status) });
    },
    metrics: () => [answered.metric(), durations.metric()],
  };
}

/** Node's parser takes some thirty methods; only those that parley answers get time series of their own. */
const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
const methodOf = ({ method }: Context): string => (methods.has(method) ? method : 'other');

/**
 * Serves metrics to a scraper with the configured token, and to admins.
 * @throws unauthenticated, or forbidden for a role below admin
 */
export async function sendMetrics(app: App, ctx: Context, read: () => Promise<Metric[]>): Promise<void> {
  if (!isScraper(app, ctx)) {
    const caller = await authenticate(app, ctx, 'any');
    const required = { operationId: 'getMetrics', access: 'any', role: 'admin' } as const;
    if (!hasRole(caller, required)) await refuseRole(app, ctx, caller, required);
  }
  ctx.type = 'text/plain; version=0.0.4; charset=utf-8';
  ctx.body = render(await read());
}

function isScraper(app: App, ctx: Context): boolean {
  const { token } = app.config.metrics;
  const sent = bearerToken(ctx);
  if (token === null || sent === undefined) return false;
  // Compare hashes: timingSafeEqual requires equal lengths.
  return timingSafeEqual(hash('sha256', token, 'buffer'), hash('sha256', sent, 'buffer'));
}
