import { memoize } from '../../base/memoize.ts';
import { fold } from './fold.ts';

/** A word of a text, folded. A query may match the whole word, or its parts where a text writes them as separate words. */
export type Token = {
  word: string;
  /** The parts of a hyphenated word, or the character bigrams of a long East Asian word; otherwise empty. */
  parts: readonly string[];
  /** A character bigram across the boundary of two dictionary words. Texts are indexed by it, queries ignore it. */
  isBoundaryBigram?: true;
};

/** Scripts without blanks between words; Hangul has blanks only between phrases. */
const unspaced = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー々\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}`;
const tokenPattern = new RegExp(
  String.raw`(?<number>(?<![\p{L}\p{N}])\d+(?:[.,]\d+)+(?![\p{L}\p{N}]))` +
    String.raw`|(?<unspaced>[${unspaced}][${unspaced}\p{M}]*)` +
    String.raw`|(?<word>(?:(?![${unspaced}])[\p{L}\p{N}\p{M}])+(?:['’\-‐‑_./](?:(?![${unspaced}])[\p{L}\p{N}\p{M}])+)*)` +
    String.raw`|(?<emoji>\p{Extended_Pictographic}|\p{Regional_Indicator}{2})`,
  'gu',
);

/** Anything longer is not a word but an address, a hash or a line without blanks; only its beginning is kept. */
const maxWordChars = 40;

/** Splits a text into folded words, in order. */
export function tokenize(text: string): Token[] {
  const tokens: Token[] = [];
  for (const match of runsOf(fold(text))) tokens.push(...tokensOfRun(match));
  return tokens;
}

/** The runs of a folded text that tokens are made of: a number, a word with its hyphens, a piece without blanks, or an emoji. */
export const runsOf = (folded: string): Iterable<RegExpExecArray> => folded.matchAll(tokenPattern);

export function tokensOfRun({ groups }: RegExpExecArray): Token[] {
  if (groups?.['word'] !== undefined) return splitWord(groups['word']);
  if (groups?.['unspaced'] !== undefined) return segmentUnspaced(groups['unspaced']);
  const word = groups?.['number'] === undefined ? groups!['emoji']! : normalizeNumber(groups['number']);
  return [{ word, parts: [] }];
}

/** 1,000 and 1.000 become 1000; 3,50 becomes 3.50. Versions and dates (1.2.3) stay as they are. */
const normalizeNumber = (text: string): string =>
  /^\d{1,3}(?:[.,]\d{3})+$/.test(text) ? text.replaceAll(/[.,]/g, '') : text.replaceAll(',', '.');

function splitWord(text: string): Token[] {
  const parts = text
    .replace(/['’]s$/, '') // customer's
    .replaceAll(/n['’]t\b/g, 'nt') // don't
    .replaceAll(/\b(?:[cdjlmnst]|qu)['’](?=\p{L}{2})/gu, '') // l'hôtel
    .split(/['’\-‐‑_./]/)
    .filter((part) => part !== '')
    .map((part) => part.slice(0, maxWordChars));
  const whole = parts.join('');
  if (parts.length > 1 && whole.length <= maxWordChars) return [{ word: whole, parts }];
  return parts.map((word) => ({ word, parts: [] }));
}

const segmenterOf = memoize(3, (locale) => new Intl.Segmenter(locale, { granularity: 'word' }));

function segmenterFor(text: string): Intl.Segmenter {
  const locale = /[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text)
    ? 'ja'
    : /\p{Script=Thai}/u.test(text)
      ? 'th'
      : 'zh';
  return segmenterOf(locale);
}

const eastAsian = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

/**
 * Segments a text without blanks by dictionary, and adds character bigrams for East Asian scripts: the dictionary's cuts depend on the
 * surrounding text, so a word of the query may be cut differently in a document.
 */
function segmentUnspaced(text: string): Token[] {
  // Starting the segmenter is slow, and a text that alternates scripts letter by letter would start it thousands of times.
  if (text.length <= 2) return [{ word: text, parts: [] }];
  const hasBigrams = eastAsian.test(text);
  const tokens: Token[] = [];
  let lastCharacter = '';
  for (const { segment, isWordLike } of segmenterFor(text).segment(text)) {
    const characters = Array.from(segment);
    if (hasBigrams && isWordLike && lastCharacter !== '')
      tokens.push({ word: `${lastCharacter}${characters[0]!}`, parts: [], isBoundaryBigram: true });
    lastCharacter = isWordLike ? characters.at(-1)! : '';
    if (isWordLike)
      tokens.push({ word: segment.slice(0, maxWordChars), parts: hasBigrams ? bigramsOf(characters) : [] });
  }
  return tokens;
}

/** The character bigrams of a word that is longer than one bigram. */
const bigramsOf = (characters: readonly string[]): string[] =>
  characters.length <= 2 ? [] : characters.slice(1).map((character, index) => `${characters[index]!}${character}`);
