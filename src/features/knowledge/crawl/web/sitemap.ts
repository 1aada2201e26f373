/** URLs in a sitemap: of pages, or in a sitemap index, of further sitemaps (sitemaps.org). */
export type Sitemap = { pages: string[]; sitemaps: string[] };

/** Limit on the URLs read from one sitemap. */
const maxEntries = 2000;
/** Limit on one URL with its tag, escapes and white space. */
const maxLocationChars = 16_384;

/**
 * Parses a sitemap, a sitemap index, or a plain list of URLs, one per line. By hand, because only two tags of these
 * generated files matter. The search only moves forward, so the time is linear in the length even of a hostile file.
 */
export function parseSitemap(text: string): Sitemap {
  if (!text.trimStart().startsWith('<')) {
    const words = text.matchAll(/\S+/g).map(([word]) => word);
    return { pages: [...words.take(maxEntries)], sitemaps: [] };
  }
  const found = parseLocations(text);
  return /<sitemapindex[\s>]/.test(text.slice(0, 4096))
    ? { pages: [], sitemaps: found }
    : { pages: found, sitemaps: [] };
}

function parseLocations(text: string): string[] {
  const found: string[] = [];
  for (let at = text.indexOf('<loc>'); at >= 0 && found.length < maxEntries; at = text.indexOf('<loc>', at)) {
    const end = text.indexOf('</loc>', at);
    if (end < 0) break;
    // Longer ones are no URLs that are crawled.
    if (end - at <= maxLocationChars) found.push(unescaped(text.slice(at + '<loc>'.length, end)));
    at = end;
  }
  return found;
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

const unescaped = (text: string): string => {
  const trimmed = text.trim();
  if (trimmed.startsWith('<![CDATA[') && trimmed.endsWith(']]>')) return trimmed.slice(9, -3).trim();
  return trimmed.replaceAll(/&(amp|lt|gt|quot|apos);/g, (_, name: string) => entities[name]!);
};
