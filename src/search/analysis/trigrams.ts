/** The trigrams of a word, each once, with marks for its beginning and end; of a short word, that is all there is. */
export function trigramsOf(word: string): string[] {
  const characters = ['^', ...Array.from(word), '$'];
  const trigrams = new Set<string>();
  for (let start = 0; start + 3 <= characters.length; start++)
    trigrams.add(characters.slice(start, start + 3).join(''));
  return [...trigrams];
}
