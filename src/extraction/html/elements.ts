/** Elements whose content is not part of the page's text. */
const hiddenElements: ReadonlySet<string> = new Set([
  ...['script', 'style', 'noscript', 'template', 'svg', 'iframe', 'object', 'canvas', 'audio', 'video', 'select'],
  ...['datalist', 'textarea'],
]);

/** Elements that start a new line. */
export const blockElements: ReadonlySet<string> = new Set([
  ...['address', 'article', 'aside', 'blockquote', 'body', 'button', 'center', 'details', 'dialog', 'div', 'dl', 'dd'],
  ...['dt', 'fieldset', 'figcaption', 'figure', 'footer', 'form', 'header', 'hr', 'legend', 'main', 'nav', 'p'],
  ...['search', 'section', 'summary', 'ul', 'ol', 'menu', 'li', 'table', 'caption', 'tr', 'td', 'th', 'pre'],
]);

/** Page regions as bit flags. An element is in its own region and in those of all its ancestors. */
export const region = { none: 0, hidden: 1, boilerplate: 2, article: 4, main: 8 } as const;

const boilerplateRoles = new Set(['navigation', 'banner', 'contentinfo', 'search', 'complementary']);
/** Ids and class names that common templates use for boilerplate. */
const boilerplateNames =
  /(?:^|\s)(?:breadcrumbs?|cookie-?(?:banner|consent|notice|bar)|skip-(?:link|to-content)|navbar|site-(?:header|footer|nav))(?:\s|$)/i;

/**
 * The region that an element opens.
 * @param enclosing regions of its ancestors: a `header` or `aside` inside an article or `main` is content, elsewhere
 *   it is boilerplate
 */
export function regionOf(name: string, attributes: Readonly<Record<string, string>>, enclosing: number): number {
  if (hiddenElements.has(name)) return region.hidden;
  const role = attributes['role']?.trim().toLowerCase() ?? '';
  if (name === 'main' || role === 'main') return region.main;
  if (name === 'article' || role === 'article') return region.article;
  if (name === 'nav' || name === 'footer' || boilerplateRoles.has(role)) return region.boilerplate;
  if (boilerplateNames.test(`${attributes['id'] ?? ''} ${attributes['class'] ?? ''}`)) return region.boilerplate;
  const inContent = (enclosing & (region.article | region.main)) !== 0;
  return !inContent && (name === 'header' || name === 'aside') ? region.boilerplate : region.none;
}
