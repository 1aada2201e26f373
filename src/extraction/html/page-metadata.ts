import type { PageFacts } from '../model.ts';

/** More links than a page has; longer than an address is. */
const maxLinks = 10_000;
const maxLinkChars = 2000;

/** What a page says of itself and where it leads to. */
export function createFacts(url: string | undefined) {
  const links = new Set<string>();
  const robots = new Set<string>();
  let base = url;
  let baseSet = false;
  let canonical: string | null = null;
  let title: string | null = null;
  const resolve = (href: string): string | null => {
    const target = URL.parse(href.trim(), base);
    if (!target || !/^https?:$/.test(target.protocol)) return null;
    target.hash = '';
    return target.href;
  };
  const rel = (attributes: Readonly<Record<string, string>>): string[] =>
    (attributes['rel'] ?? '').toLowerCase().split(/\s+/);
  return {
    /** Of any element that is opened. */
    see(name: string, attributes: Readonly<Record<string, string>>): void {
      const { href, content } = attributes;
      if (name === 'base' && href !== undefined && !baseSet) {
        base = resolve(href) ?? base;
        baseSet = true;
      } else if (name === 'link' && href !== undefined && rel(attributes).includes('canonical'))
        canonical ??= resolve(href);
      else if ((name === 'a' || name === 'area') && href !== undefined) {
        if (links.size >= maxLinks || href.length > maxLinkChars || rel(attributes).includes('nofollow')) return;
        const target = resolve(href);
        if (target !== null) links.add(target);
      } else if (name === 'meta' && content !== undefined) {
        const key = (attributes['name'] ?? attributes['property'] ?? '').toLowerCase();
        if (key === 'robots' || key === 'parley')
          for (const word of content.toLowerCase().split(/[\s,]+/)) robots.add(word);
        if (key === 'og:title') title ??= content;
      }
    },
    /** `og:title`. */
    title: () => title,
    page: (): PageFacts => ({
      links: [...links],
      canonical,
      noindex: robots.has('noindex') || robots.has('none'),
      nofollow: robots.has('nofollow') || robots.has('none'),
    }),
  };
}
