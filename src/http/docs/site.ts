import type { RecordedExamples } from './examples/recorded.ts';
import { rendererFor } from './guides/render.ts';
import { type Found, type KeepSearchIndex, maxQueryLength, openSearch } from './guides/search.ts';
import { contentsPath, examplesPath, type Guide, groupsIn, type GuideTexts } from './guides/source.ts';
import { type Html, html } from './html.ts';
import type { Document } from './openapi-types.ts';
import { groupHref, groupPage, homePage, referenceGroups, schemasPage } from './page.ts';
import { shell, type Site } from './shell.ts';

/** The pages of the documentation. Each is made when it is first asked for; an unknown name is undefined. */
export type DocsSite = {
  home(): string;
  reference(slug: string): string | undefined;
  guide(slug: string): string | undefined;
  /** A picture of the guides (SVG), by its name without the ending. */
  picture(name: string): string | undefined;
  search(query: string): Promise<string>;
};

const withoutKeeping: KeepSearchIndex = (_key, build) => build();

export function createDocsSite(document: Document, texts: GuideTexts, keep = withoutKeeping): DocsSite {
  const groups = referenceGroups(document);
  const guideGroups = groupsIn(texts);
  const guides = guideGroups.flatMap(({ guides: pages }) => pages);
  const render = rendererFor(texts);
  const recorded = JSON.parse(texts[examplesPath] ?? '{}') as RecordedExamples;
  const site: Site = {
    version: document.info['x-parley-version'],
    guides: guideGroups,
    reference: [
      ...groups.map(({ name }) => ({ href: groupHref(name), title: name })),
      { href: '/docs/reference/schemas', title: 'Schemas' },
    ],
  };
  let searching: Promise<(query: string) => Found[]> | undefined;
  /** Begins with the first page, so that the first question does not wait for it. */
  const opened = (): Promise<(query: string) => Found[]> =>
    (searching ??= openSearch({ texts, groups: guideGroups, document, groupHref }, keep));
  const page = (title: string, path: string, main: Html): string => {
    opened().catch(() => undefined); // a page does without; a question says what is wrong
    return shell(site, { title, path, main });
  };
  return {
    home: cached(() => page('Start', '/docs', homePage(document, groups, startOf(texts, render)))),
    reference: cachedByName((slug) => {
      const path = `/docs/reference/${slug}`;
      if (slug === 'schemas') return page('Schemas', path, schemasPage(document));
      const group = groups.find((one) => one.slug === slug);
      return group && page(group.name, path, groupPage(document, group, recorded));
    }),
    guide: cachedByName((slug) => {
      const at = guides.findIndex((one) => one.slug === slug);
      const guide = guides[at];
      if (!guide) return undefined;
      const main = html`<article>${{ markup: render(guide.path) }}</article>
        ${neighbours(guides[at - 1], guides[at + 1])}`;
      return page(guide.title, `/docs/guides/${slug}`, main);
    }),
    picture: (name) => texts[`pictures/${name}.svg`],
    async search(text) {
      const query = text.slice(0, maxQueryLength).trim();
      const search = await opened();
      const found = query === '' ? [] : search(query);
      const main = html`<h1>Search</h1>
        <p role="status">${sentenceOf(query, found.length)}</p>
        <ol class="found">
          ${found.map(
            ({ title, where, href, start }) =>
              html`<li>
                <a href="${href}">${title}</a> <span class="where">${where}</span>
                <p>${start}</p>
              </li>`,
          )}
        </ol>`;
      return shell(site, { title: `Search: ${query}`, path: '/docs/search', main, query });
    },
  };
}

const sentenceOf = (query: string, count: number): string => {
  if (query === '') return 'Type what you look for.';
  return count === 0
    ? `Nothing was found for "${query}". Try fewer words.`
    : `${count} places were found for "${query}".`;
};

/** The table of contents without its title: the first page has one of its own. */
const startOf = (texts: GuideTexts, render: (path: string) => string): string | undefined =>
  texts[contentsPath] === undefined ? undefined : render(contentsPath).replace(/^<h1[^]*?<\/h1>\n/, '');

const neighbours = (before: Guide | undefined, next: Guide | undefined): Html =>
  html`<nav class="neighbours" aria-label="Previous and next">
    ${before ? html`<a rel="prev" href="/docs/guides/${before.slug}">← ${before.title}</a>` : html`<span></span>`}
    ${next ? html`<a rel="next" href="/docs/guides/${next.slug}">${next.title} →</a>` : ''}
  </nav>`;

function cached<T>(make: () => T): () => T {
  let value: T | undefined;
  return () => (value ??= make());
}

/** Only pages that exist are kept, so unknown names take no memory. */
function cachedByName(make: (name: string) => string | undefined): (name: string) => string | undefined {
  const pages = new Map<string, string>();
  return (name) => {
    const known = pages.get(name) ?? make(name);
    if (known !== undefined) pages.set(name, known);
    return known;
  };
}
