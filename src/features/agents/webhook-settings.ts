import type { Fault } from '../../base/errors.ts';
import { refusalOfUrl, type OutboundPolicy } from '../../base/outbound/guard.ts';
import type { WebhookEventName } from './agent.ts';

/**
 * The webhook fields of a request body, under their names there, so that faults can point to them. `webhook_url` sets a single URL,
 * `webhook_urls` several; null or `[]` removes all (docs/api/agents.md, "Webhook URLs").
 */
export type WebhookSettings = {
  webhook_url?: string | null;
  webhook_urls?: readonly string[] | null;
  webhook_events?: readonly WebhookEventName[];
};

/** The URLs to save, or undefined if the body has none, since saving even the same URLs again resumes failing ones. */
export function urlsToSave({ webhook_url: single, webhook_urls: list }: WebhookSettings): string[] | undefined {
  if (list !== undefined) return [...(list ?? [])];
  if (single !== undefined) return single === null ? [] : [single];
  return undefined;
}

/** A fault for giving both fields, and one for each URL that the outbound policy refuses. */
export function webhookFaults(settings: WebhookSettings, policy: OutboundPolicy): Fault[] {
  const { webhook_url: single, webhook_urls: list } = settings;
  const faults: Fault[] = [];
  if (single !== undefined && list !== undefined) {
    faults.push({ path: 'webhook_url', message: 'cannot be given together with webhook_urls' });
    faults.push({ path: 'webhook_urls', message: 'cannot be given together with webhook_url' });
  }
  const check = (path: string, url: string): void => {
    const message = refusalOfUrl(url, policy);
    if (message !== null) faults.push({ path, message });
  };
  if (typeof single === 'string') check('webhook_url', single);
  for (const [index, url] of (list ?? []).entries()) check(`webhook_urls[${index}]`, url);
  return faults;
}
