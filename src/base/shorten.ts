/** A text of at most so many UTF-16 code units: of a longer one the beginning and "…", never half of a character. */
export function shortened(text: string, most: number): string {
  if (text.length <= most) return text;
  const beginning = text.slice(0, most - 1);
  return `${/[\uD800-\uDBFF]$/.test(beginning) ? beginning.slice(0, -1) : beginning}…`;
}
