import { memoize } from '../../base/memoize.ts';
import { fold } from './fold.ts';

/** A piece of text that is looked up as a whole, or by its parts where the text has them written apart. */
export type Cut = {
  word: string;
  /** Of a hyphenated word its parts, of a long word of East Asian script its pairs of characters; else none. */
  parts: readonly string[];
  /** A pair of characters that belong to two words, as far as the dictionary knows. Only texts are found by it. */
  across?: true;
};

/** Scripts that put no blanks between words, and Hangul, which puts them between phrases. */
const dense = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー々\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}`;
const piece = new RegExp(
  String.raw`(?<number>(?<![\p{L}\p{N}])\d+(?:[.,]\d+)+(?![\p{L}\p{N}]))` +
    String.raw`|(?<dense>[${dense}][${dense}\p{M}]*)` +
    String.raw`|(?<word>(?:(?![${dense}])[\p{L}\p{N}\p{M}])+(?:['’\-‐‑_./](?:(?![${dense}])[\p{L}\p{N}\p{M}])+)*)` +
    String.raw`|(?<picture>\p{Extended_Pictographic}|\p{Regional_Indicator}{2})`,
  'gu',
);

/** What is longer is no word: an address, a hash, a line without blanks. Its beginning is kept. */
const longestWord = 40;

/** The words of a text in order, folded. */
export function cut(text: string): Cut[] {
  const cuts: Cut[] = [];
  for (const { groups } of fold(text).matchAll(piece)) {
    if (groups?.['word'] !== undefined) cuts.push(...cutWord(groups['word']));
    else if (groups?.['dense'] !== undefined) cuts.push(...cutDense(groups['dense']));
    else
      cuts.push({
        word: groups?.['number'] === undefined ? groups!['picture']! : numberOf(groups['number']),
        parts: [],
      });
  }
  return cuts;
}

/** 1,000 and 1.000 are 1000; 3,50 is 3.50. Versions and dates (1.2.3) stay as they are. */
const numberOf = (text: string): string =>
  /^\d{1,3}(?:[.,]\d{3})+$/.test(text) ? text.replaceAll(/[.,]/g, '') : text.replaceAll(',', '.');

function cutWord(text: string): Cut[] {
  const parts = text
    .replace(/['’]s$/, '') // a customer's
    .replaceAll(/n['’]t\b/g, 'nt') // don't
    .replaceAll(/\b(?:[cdjlmnst]|qu)['’](?=\p{L}{2})/gu, '') // l'hôtel
    .split(/['’\-‐‑_./]/)
    .filter((part) => part !== '')
    .map((part) => part.slice(0, longestWord));
  const whole = parts.join('');
  if (parts.length > 1 && whole.length <= longestWord) return [{ word: whole, parts }];
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

const ideographic = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

/**
 * Words by dictionary, and of East Asian scripts each pair of characters too: where the dictionary cuts depends on what stands around,
 * so a word of the question may be cut otherwise in the text.
 */
function cutDense(text: string): Cut[] {
  // The segmenter takes its time to begin; a text of one letter each in turns would begin it thousands of times.
  if (text.length <= 2) return [{ word: text, parts: [] }];
  const pairing = ideographic.test(text);
  const cuts: Cut[] = [];
  let last = '';
  for (const { segment, isWordLike } of segmenterFor(text).segment(text)) {
    const characters = Array.from(segment);
    if (pairing && isWordLike && last !== '') cuts.push({ word: `${last}${characters[0]!}`, parts: [], across: true });
    last = isWordLike ? characters.at(-1)! : '';
    if (isWordLike) cuts.push({ word: segment.slice(0, longestWord), parts: pairing ? pairsOf(characters) : [] });
  }
  return cuts;
}

/** None of a word that is itself no longer than a pair. */
const pairsOf = (characters: readonly string[]): string[] =>
  characters.length <= 2 ? [] : characters.slice(1).map((character, index) => `${characters[index]!}${character}`);
