/** Cuts a text to at most `maxLength` UTF-16 code units. A cut text ends in "…", and never in half a character. */
export function shortened(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  const beginning = text.slice(0, maxLength - 1);
  return `${/[\uD800-\uDBFF]$/.test(beginning) ? beginning.slice(0, -1) : beginning}…`;
}
