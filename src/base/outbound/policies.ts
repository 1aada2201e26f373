import type { Config } from '../config/schema.ts';
import type { OutboundPolicy } from './guard.ts';

type PolicySettings = Pick<Config, 'outbound' | 'webhooks'>;

/** For webhook URLs: HTTPS to public addresses. */
export const webhookPolicy = ({ outbound, webhooks }: PolicySettings): OutboundPolicy => ({
  allowNetworks: outbound.allow_networks,
  allowHttpLoopback: webhooks.allow_http_loopback,
});

/** For crawled pages: HTTP or HTTPS to public addresses. */
export const pagePolicy = ({ outbound }: PolicySettings): OutboundPolicy => ({
  allowNetworks: outbound.allow_networks,
  allowHttpLoopback: false,
  plainHttp: true,
});
