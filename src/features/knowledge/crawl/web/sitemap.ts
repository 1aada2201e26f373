/** What a sitemap names: pages, or further sitemaps (sitemaps.org). */
export type Sitemap = { pages: string[]; sitemaps: string[] };

/** More are not asked for, whatever a site may have. */
const maxEntries = 2000;

/**
 * Reads a sitemap, a sitemap index, or a list of URLs, one a line. By hand, since two tags matter of what machines write; looking for
 * the next one never goes back, so a hostile file costs what it is long.
 */
export function parseSitemap(text: string): Sitemap {
  if (!text.trimStart().startsWith('<')) {
    return { pages: text.split(/\s+/).filter(Boolean).slice(0, maxEntries), sitemaps: [] };
  }
  const found = locationsOf(text);
  return /<sitemapindex[\s>]/.test(text.slice(0, 4096))
    ? { pages: [], sitemaps: found }
    : { pages: found, sitemaps: [] };
}

function locationsOf(text: string): string[] {
  const found: string[] = [];
  for (let at = text.indexOf('<loc>'); at >= 0 && found.length < maxEntries; at = text.indexOf('<loc>', at)) {
    const end = text.indexOf('</loc>', at);
    if (end < 0) break;
    found.push(unescaped(text.slice(at + '<loc>'.length, end)));
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
