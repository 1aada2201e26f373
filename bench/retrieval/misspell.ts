/** Words of questions that a caller would not get wrong, or that no search needs. */
const minLetters = 5;
const letters = 'abcdefghijklmnopqrstuvwxyz';

/** Misspells one longer word of a question: a letter left out, added, replaced, or swapped with the next. */
export function misspell(question: string, random: () => number): string {
  const below = (count: number): number => Math.floor(random() * count);
  const words = [...question.matchAll(/\p{L}+/gu)].filter(([word]) => word.length >= minLetters);
  if (words.length === 0) return question;
  const { 0: word, index } = words[below(words.length)]!;
  const at = 1 + below(word.length - 2);
  const [before, after] = [word.slice(0, at), word.slice(at + 1)];
  const letter = letters[below(letters.length)]!;
  const wrong = [
    before + after,
    before + letter + word.slice(at),
    before + letter + after,
    before + after[0]! + word[at]! + after.slice(1),
  ][below(4)]!;
  return question.slice(0, index) + wrong + question.slice(index + word.length);
}
