import { Marked } from 'marked';
import { anchorOf, type GuideTexts, slugOf } from './source.ts';

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escape = (text: string): string => text.replaceAll(/[&<>"]/g, (character) => escapes[character]!);

/** Makes HTML of one page of `docs/`. The texts are parley's own, so their markup is trusted; comments are left out. */
export function rendererFor(texts: GuideTexts): (path: string) => string {
  return (path) => markedFor(texts, path).parse(texts[path]!, { async: false });
}

/** For reading the structure of pages. */
export const plainMarked = new Marked();

const markedFor = (texts: GuideTexts, page: string): Marked =>
  new Marked({
    renderer: {
      html: () => '',
      heading({ tokens, depth, text }) {
        const id = anchorOf(text.replaceAll(/[`*]/g, ''));
        const link = `<a class="anchor" href="#${id}" aria-label="Link to this heading">#</a>`;
        return `<h${depth} id="${id}">${this.parser.parseInline(tokens)} ${depth === 1 ? '' : link}</h${depth}>\n`;
      },
      code: ({ text, lang }) =>
        `<pre tabindex="0"${lang ? ` data-language="${escape(lang)}"` : ''}><code>${escape(text)}</code></pre>\n`,
      tablecell({ tokens, header, align }) {
        const content = this.parser.parseInline(tokens);
        const side = align ? ` class="${align}"` : '';
        return header ? `<th scope="col"${side}>${content}</th>\n` : `<td${side}>${content}</td>\n`;
      },
      table({ header, rows }) {
        const row = (cells: typeof header): string =>
          `<tr>${cells.map((cell) => this.tablecell(cell)).join('')}</tr>\n`;
        return `<div class="wide" tabindex="0" role="region" aria-label="Table"><table><thead>${row(header)}</thead><tbody>${rows.map(row).join('')}</tbody></table></div>\n`;
      },
      image: ({ href, text }) =>
        `<img class="picture" src="/docs/${escape(new URL(href, `file:///${page}`).pathname.slice(1))}" alt="${escape(text)}">`,
      link({ href, tokens }) {
        const content = this.parser.parseInline(tokens);
        const target = targetOf(texts, page, href);
        if (target === undefined) return content;
        const outside = /^https?:/.test(target) ? ' rel="noopener noreferrer"' : '';
        return `<a href="${escape(target)}"${outside}>${content}</a>`;
      },
    },
  });

/** Where a link leads on the server. Undefined for files that only the repository has; the words stay. */
function targetOf(texts: GuideTexts, page: string, href: string): string | undefined {
  if (/^https?:\/\/(?:127\.0\.0\.1|localhost)/.test(href)) return undefined; // an example
  if (/^https?:|^#/.test(href)) return href;
  const { pathname, hash } = new URL(href, `file:///${page}`);
  const path = decodeURIComponent(pathname.slice(1));
  if (texts[path] !== undefined) return `/docs/guides/${slugOf(path)}${hash}`;
  return texts[`${path}/README.md`] === undefined ? undefined : `/docs/guides/${slugOf(`${path}/README.md`)}${hash}`;
}
