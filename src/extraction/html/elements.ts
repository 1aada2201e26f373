/** Nothing in these is text of the page. */
const skipped: ReadonlySet<string> = new Set([
  ...['script', 'style', 'noscript', 'template', 'svg', 'iframe', 'object', 'canvas', 'audio', 'video', 'select'],
  ...['datalist', 'textarea'],
]);

/** Elements that begin a new line. */
export const blockLevel: ReadonlySet<string> = new Set([
  ...['address', 'article', 'aside', 'blockquote', 'body', 'button', 'center', 'details', 'dialog', 'div', 'dl', 'dd'],
  ...[
    'dt',
    'fieldset',
    'figcaption',
    'figure',
    'footer',
    'form',
    'header',
    'hr',
    'legend',
    'main',
    'nav',
    'p',
    'search',
  ],
  ...['section', 'summary', 'ul', 'ol', 'menu', 'li', 'table', 'caption', 'tr', 'td', 'th', 'pre'],
]);

/** What an element makes of all that is in it. */
export const inside = { nothing: 0, skipped: 1, extra: 2, article: 4, main: 8 } as const;

const extraRoles = new Set(['navigation', 'banner', 'contentinfo', 'search', 'complementary']);
/** Names that pages of many makers give to what is no content. */
const extraNames =
  /(?:^|\s)(?:breadcrumbs?|cookie-?(?:banner|consent|notice|bar)|skip-(?:link|to-content)|navbar|site-(?:header|footer|nav))(?:\s|$)/i;

/**
 * @param around what the elements around it make of it: a header or an aside of an article is the article's, one of the page is
 *   around its content
 */
export function effectOf(name: string, attributes: Readonly<Record<string, string>>, around: number): number {
  if (skipped.has(name)) return inside.skipped;
  const role = attributes['role']?.trim().toLowerCase() ?? '';
  if (name === 'main' || role === 'main') return inside.main;
  if (name === 'article' || role === 'article') return inside.article;
  if (name === 'nav' || name === 'footer' || extraRoles.has(role)) return inside.extra;
  if (extraNames.test(`${attributes['id'] ?? ''} ${attributes['class'] ?? ''}`)) return inside.extra;
  const ofPage = (around & (inside.article | inside.main)) === 0;
  return ofPage && (name === 'header' || name === 'aside') ? inside.extra : inside.nothing;
}
