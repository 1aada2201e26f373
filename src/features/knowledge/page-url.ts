import type { Fault } from '../../base/errors.ts';
import { refusalOfUrl } from '../../base/outbound/guard.ts';
import { pagePolicy } from '../../base/outbound/policies.ts';
import type { App } from '../../kernel/app.ts';

/** Checks a URL that is to be fetched or cited: its syntax, its scheme, and that its host is public. */
export function validatePageUrl(app: App, path: string, url: string): Fault[] {
  const message = refusalOfUrl(url, pagePolicy(app.config));
  return message === null ? [] : [{ path, message }];
}

/** The canonical spelling of a page's URL (URL standard), without the fragment. */
export function normalizePageUrl(url: string): string {
  const parsed = new URL(url);
  parsed.hash = '';
  return parsed.href;
}
