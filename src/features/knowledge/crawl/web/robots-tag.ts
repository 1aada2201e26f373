/** Robots directives of a page, from its HTML or its X-Robots-Tag header. */
export type RobotsDirectives = { noindex: boolean; nofollow: boolean };

/** Directives with a value: their colon does not introduce a crawler name. */
const directivesWithValue = /^(?:unavailable_after|max-snippet|max-image-preview|max-video-preview)$/;

/**
 * Parses X-Robots-Tag: `noindex, nofollow` for all crawlers, or `parley: noindex, other: nofollow` by crawler name
 * (developers.google.com, "Robots meta tag specifications").
 */
export function parseRobotsTag(header: string | string[] | undefined, token: string): RobotsDirectives {
  const found: RobotsDirectives = { noindex: false, nofollow: false };
  for (const line of [header ?? []].flat()) {
    let appliesToUs = true;
    for (const part of line.toLowerCase().split(',')) {
      const [, agent, rest] = /^\s*([\w-]+)\s*:(.*)$/.exec(part) ?? [];
      const isNamed = agent !== undefined && !directivesWithValue.test(agent);
      if (isNamed) appliesToUs = agent === token;
      const directive = (isNamed ? rest! : part).trim();
      if (!appliesToUs) continue;
      found.noindex ||= directive === 'noindex' || directive === 'none';
      found.nofollow ||= directive === 'nofollow' || directive === 'none';
    }
  }
  return found;
}
