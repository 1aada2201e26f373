import type { Fault } from '../../base/errors.ts';
import { refusalOfUrl, type OutboundPolicy } from '../../base/outbound/guard.ts';
import type { App } from '../../kernel/app.ts';

/** Pages may be http, but never an address that is not public (contract, section 10). */
const pagePolicy = ({ config }: App): OutboundPolicy => ({
  allowNetworks: config.outbound.allow_networks,
  allowHttpLoopback: false,
  plainHttp: true,
});

/** What is wrong with a URL that is to be read or cited: its form, its scheme, or that its host is not public. */
export function urlFaults(app: App, path: string, url: string): Fault[] {
  const message = refusalOfUrl(url, pagePolicy(app));
  return message === null ? [] : [{ path, message }];
}

/** The form under which a page is known: as URLs are written by the standard, without the fragment. */
export function pageUrl(url: string): string {
  const parsed = new URL(url);
  parsed.hash = '';
  return parsed.href;
}
