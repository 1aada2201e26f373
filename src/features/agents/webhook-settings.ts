import type { Fault } from '../../base/errors.ts';
import { refusalOfUrl, type OutboundPolicy } from '../../base/outbound/guard.ts';
import type { Agent, WebhookEventName } from './agent.ts';

/**
 * The webhook fields of a body, under their names there, which faults repeat. `webhook_url` makes that the one URL,
 * `webhook_urls` sets several; null or `[]` removes all (contract, section 4).
 */
export type WebhookSettings = {
  webhook_url?: string | null;
  webhook_urls?: readonly string[] | null;
  webhook_events?: readonly WebhookEventName[];
};

/** Whether a body gives URLs: saving them again, even unchanged, revives a failing endpoint (contract, section 11). */
export const savesWebhookUrls = (settings: WebhookSettings): boolean =>
  settings.webhook_url !== undefined || settings.webhook_urls !== undefined;

/** Both ways to set URLs at once, and each URL that the outbound guard refuses to have saved. */
export function webhookFaults(settings: WebhookSettings, policy: OutboundPolicy): Fault[] {
  const { webhook_url: one, webhook_urls: several } = settings;
  const faults: Fault[] = [];
  if (one !== undefined && several !== undefined) {
    faults.push({ path: 'webhook_url', message: 'cannot be given together with webhook_urls' });
    faults.push({ path: 'webhook_urls', message: 'cannot be given together with webhook_url' });
  }
  const judge = (path: string, url: string): void => {
    const message = refusalOfUrl(url, policy);
    if (message !== null) faults.push({ path, message });
  };
  if (typeof one === 'string') judge('webhook_url', one);
  for (const [index, url] of (several ?? []).entries()) judge(`webhook_urls[${index}]`, url);
  return faults;
}

/** What an agent's webhooks are after saving; fields that are not given stay. */
export function withWebhooks(
  before: Pick<Agent, 'webhookUrls' | 'webhookEvents'>,
  settings: WebhookSettings,
): Pick<Agent, 'webhookUrls' | 'webhookEvents'> {
  const { webhook_url: one, webhook_urls: several, webhook_events: events } = settings;
  let urls = before.webhookUrls;
  if (several !== undefined) urls = [...(several ?? [])];
  else if (one !== undefined) urls = one === null ? [] : [one];
  return { webhookUrls: urls, webhookEvents: events === undefined ? before.webhookEvents : [...events] };
}
