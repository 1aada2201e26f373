import type { GuideGroup } from './guides/source.ts';
import { type Html, html } from './html.ts';

/** A link of the navigation. */
export type Link = { href: string; title: string };

/** What every page of the documentation shares. */
export type Site = {
  version: string;
  guides: readonly GuideGroup[];
  reference: readonly Link[];
};

type Page = { title: string; path: string; main: Html; query?: string };

/** A whole page: header with search, navigation of guides and reference, and the content. */
export function shell({ version, guides, reference }: Site, { title, path, main, query = '' }: Page): string {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title} · parley documentation</title>
        <link rel="icon" type="image/svg+xml" href="/docs/pictures/icon.svg" />
        <link rel="stylesheet" href="/docs/docs.css" />
        <script src="/docs/docs.js" defer></script>
      </head>
      <body>
        <a class="skip" href="#main">Skip to the content</a>
        <header>
          <p class="product"><a href="/docs">parley ${version}</a></p>
          <form role="search" action="/docs/search">
            <label for="q">Search the documentation</label>
            <input id="q" name="q" type="search" maxlength="200" value="${query}" />
            <button>Search</button>
          </form>
        </header>
        <div class="columns">
          <nav aria-label="Documentation">
            ${guides.map(({ title: group, guides: pages }) =>
              links(
                group,
                pages.map((page) => ({ href: `/docs/guides/${page.slug}`, title: page.title })),
                path,
              ),
            )}
            ${links('Reference', reference, path)}
          </nav>
          <main id="main">${main}</main>
        </div>
      </body>
    </html> `.markup;
}

const links = (title: string, entries: readonly Link[], path: string): Html =>
  html`<h2>${title}</h2>
    <ul>
      ${entries.map(
        (entry) =>
          html`<li>
            ${entry.href === path ? html`<a href="${entry.href}" aria-current="page">${entry.title}</a>` : html`<a href="${entry.href}">${entry.title}</a>`}
          </li>`,
      )}
    </ul>`;
