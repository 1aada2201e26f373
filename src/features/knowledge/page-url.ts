import type { Fault } from '../../base/errors.ts';
import { refusalOfUrl } from '../../base/outbound/guard.ts';
import { pagePolicy } from '../../base/outbound/policies.ts';
import type { App } from '../../kernel/app.ts';

/** What is wrong with a URL that is to be read or cited: its form, its scheme, or that its host is not public. */
export function urlFaults(app: App, path: string, url: string): Fault[] {
  const message = refusalOfUrl(url, pagePolicy(app.config));
  return message === null ? [] : [{ path, message }];
}

/** The form under which a page is known: as URLs are written by the standard, without the fragment. */
export function pageUrl(url: string): string {
  const parsed = new URL(url);
  parsed.hash = '';
  return parsed.href;
}
