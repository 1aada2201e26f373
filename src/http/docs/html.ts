/** Text that is already markup. All other values are escaped when they are inserted. */
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

/** Template tag that escapes inserted values, except markup. By hand, because one page needs nothing else from a template library. */
export const html = (strings: TemplateStringsArray, ...parts: readonly Part[]): Html => ({
  markup: strings.map((text, index) => text + (index < parts.length ? markupOf(parts[index]) : '')).join(''),
});

/** Escapes text and turns `words` in backticks into code. */
export const prose = (text: string): Html => ({
  markup: escape(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>'),
});
