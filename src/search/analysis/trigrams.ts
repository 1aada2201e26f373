/** The distinct trigrams of a word between the marks ^ and $, so that its beginning and end count. A one-letter word is one trigram. */
export function trigramsOf(word: string): string[] {
  const characters = ['^', ...Array.from(word), '$'];
  const trigrams = new Set<string>();
  for (let start = 0; start + 3 <= characters.length; start++)
    trigrams.add(characters.slice(start, start + 3).join(''));
  return [...trigrams];
}
