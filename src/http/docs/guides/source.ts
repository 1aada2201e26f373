import type { Marked, Token } from 'marked';

/**
 * The Markdown and the pictures of `docs/` by their path there, such as `api/http.md`, and the recorded examples; `README.md` is the table of
 * contents.
 */
export type GuideTexts = Readonly<Record<string, string>>;

export const contentsPath = 'README.md';
export const examplesPath = 'api/examples.generated.json';

/** A page of the guides: `slug` is its place below `/docs/guides/`. */
export type Guide = { path: string; slug: string; title: string };
export type GuideGroup = { title: string; guides: Guide[] };

/** `api/http.md` is `api-http`, and `api/README.md` is `api`. */
export const slugOf = (path: string): string =>
  path
    .replace(/\.md$/, '')
    .replace(/\/README$/, '')
    .replaceAll('/', '-');

/**
 * The groups of the table of contents: its second-level headings, each with the pages that it links to, in their order. A page is listed
 * where it is linked first.
 */
export function groupsIn(texts: GuideTexts): GuideGroup[] {
  const seen = new Set<string>();
  const groups: GuideGroup[] = [];
  for (const line of (texts[contentsPath] ?? '').split('\n')) {
    const [, heading] = /^## (.+)$/.exec(line) ?? [];
    if (heading !== undefined) groups.push({ title: heading, guides: [] });
    for (const [, path] of line.matchAll(/\]\(([\w/-]+\.md)\)/g)) {
      const text = texts[path!];
      if (text === undefined || seen.has(path!)) continue;
      seen.add(path!);
      groups.at(-1)?.guides.push({ path: path!, slug: slugOf(path!), title: titleOf(text) });
    }
  }
  return groups.filter(({ guides }) => guides.length > 0);
}

const titleOf = (text: string): string => (/^# (.+)$/m.exec(text)?.[1] ?? 'Untitled').replaceAll('`', '');

/** The anchor that GitHub gives a heading, so that links work there and here. */
export const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\w\- ]/g, '')
    .replaceAll(' ', '-');

/** A part of a page under one heading, as plain text; the part before the first heading has the page's title and no anchor. */
export type Section = { heading: string; anchor: string; text: string };

export function sectionsOf(marked: Marked, markdown: string): Section[] {
  const sections: Section[] = [{ heading: '', anchor: '', text: '' }];
  for (const token of marked.lexer(markdown)) {
    if (token.type !== 'heading') sections.at(-1)!.text += `${plainText(token)}\n`;
    else if (token['depth'] === 1) sections.at(-1)!.heading = plainText(token);
    else sections.push({ heading: plainText(token), anchor: anchorOf(plainText(token)), text: '' });
  }
  return sections;
}

/** The words of a token without its marks. */
function plainText(token: Token): string {
  if (token.type === 'html') return '';
  if (token.type === 'table') {
    const cells = [token['header'], ...token['rows']].flat() as { tokens: Token[] }[];
    return cells.map(({ tokens }) => tokens.map(plainText).join('')).join(' ');
  }
  if (token.type === 'list') return (token['items'] as Token[]).map(plainText).join(' ');
  const inner = (token as { tokens?: Token[] }).tokens;
  if (inner) return inner.map(plainText).join('');
  return (token as { text?: string }).text ?? '';
}
