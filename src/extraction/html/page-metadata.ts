import type { PageMetadata } from '../model.ts';

/** Limits against generated pages: more links, or longer ones, than pages for people have. */
const maxLinks = 10_000;
const maxLinkChars = 2000;

/** Reads links, canonical URL, robots directives and `og:title` from the elements of a page. */
export function createPageMetadataReader(url: string | undefined) {
  const links = new Set<string>();
  const robots = new Set<string>();
  let base = url;
  let hasBaseElement = false;
  let canonical: string | null = null;
  let ogTitle: string | null = null;
  const resolve = (href: string): string | null => {
    const target = URL.parse(href.trim(), base);
    if (!target || !/^https?:$/.test(target.protocol)) return null;
    target.hash = '';
    return target.href;
  };
  const relOf = (attributes: Readonly<Record<string, string>>): string[] =>
    (attributes['rel'] ?? '').toLowerCase().split(/\s+/);
  return {
    /** Call for every opened element. */
    readElement(name: string, attributes: Readonly<Record<string, string>>): void {
      const { href, content } = attributes;
      if (name === 'base' && href !== undefined && !hasBaseElement) {
        base = resolve(href) ?? base;
        hasBaseElement = true;
      } else if (name === 'link' && href !== undefined && relOf(attributes).includes('canonical'))
        canonical ??= resolve(href);
      else if ((name === 'a' || name === 'area') && href !== undefined) {
        if (links.size >= maxLinks || href.length > maxLinkChars || relOf(attributes).includes('nofollow')) return;
        const target = resolve(href);
        if (target !== null) links.add(target);
      } else if (name === 'meta' && content !== undefined) {
        const key = (attributes['name'] ?? attributes['property'] ?? '').toLowerCase();
        if (key === 'robots' || key === 'parley')
          for (const directive of content.toLowerCase().split(/[\s,]+/)) robots.add(directive);
        if (key === 'og:title') ogTitle ??= content;
      }
    },
    ogTitle: () => ogTitle,
    metadata: (): PageMetadata => ({
      links: [...links],
      canonical,
      noindex: robots.has('noindex') || robots.has('none'),
      nofollow: robots.has('nofollow') || robots.has('none'),
    }),
  };
}
