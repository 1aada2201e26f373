/** Text that is markup already. Everything else that is put into markup is escaped. */
export type Html = { readonly markup: string };
type Part = Html | string | number | undefined | readonly Part[];

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escape = (text: string): string => text.replaceAll(/[&<>"']/g, (character) => escapes[character]!);

function markupOf(part: Part): string {
  if (part === undefined) return '';
  if (Array.isArray(part)) return part.map(markupOf).join('');
  return typeof part === 'object' ? (part as Html).markup : escape(String(part));
}

/** Markup from a template; what is put in is escaped unless it is markup itself. By hand: a page needs no more of a library. */
export const html = (strings: TemplateStringsArray, ...parts: readonly Part[]): Html => ({
  markup: strings.map((text, index) => text + (index < parts.length ? markupOf(parts[index]) : '')).join(''),
});

/** A sentence in which `words` between backticks are code. */
export const prose = (text: string): Html => ({
  markup: escape(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>'),
});
