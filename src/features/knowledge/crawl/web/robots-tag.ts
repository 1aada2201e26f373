/** What a page says to crawlers, in its HTML or in the header X-Robots-Tag. */
export type Directives = { noindex: boolean; nofollow: boolean };

/** Directives that have a colon of their own. */
const valued = /^(?:unavailable_after|max-snippet|max-image-preview|max-video-preview)$/;

/**
 * Reads X-Robots-Tag: `noindex, nofollow`, or `parley: noindex, other: nofollow` for crawlers by name (developers.google.com, "Robots
 * meta tag specifications").
 */
export function robotsTag(header: string | string[] | undefined, token: string): Directives {
  const found: Directives = { noindex: false, nofollow: false };
  for (const line of [header ?? []].flat()) {
    let isOurs = true;
    for (const part of line.toLowerCase().split(',')) {
      const [, agent, rest] = /^\s*([\w-]+)\s*:(.*)$/.exec(part) ?? [];
      const isNamed = agent !== undefined && !valued.test(agent);
      if (isNamed) isOurs = agent === token;
      const directive = (isNamed ? rest! : part).trim();
      if (!isOurs) continue;
      found.noindex ||= directive === 'noindex' || directive === 'none';
      found.nofollow ||= directive === 'nofollow' || directive === 'none';
    }
  }
  return found;
}
