import { stem } from '../analysis/stem.ts';

/** The languages of the lexicon, in the order of the columns of data/synsets. */
export const languages = ['en', 'de', 'es', 'fr', 'it', 'pt', 'nl', 'zh', 'ja'] as const;
export type Language = (typeof languages)[number];

/**
 * Whether the index terms of a language equal the roots in the lexicon: the stemmer is made for English, and Chinese and Japanese words
 * are not inflected. Words of other languages are indexed with their endings and have to be looked up by the beginning.
 */
export const hasExactRoots = (language: Language): boolean =>
  language === 'en' || language === 'zh' || language === 'ja';

const stems = (words: string): string[] => words.split(' ').map(stem);

/** Words that nearly every longer text of a language has, and texts of other languages rarely have. */
const markerWords: Partial<Record<Language, readonly string[]>> = {
  de: stems('der und nicht fur ist auf mit ein'),
  es: stems('los las con por del una para el'),
  fr: stems('les des pour dans est avec une sur'),
  it: stems('gli della per che con sono non il'),
  pt: stems('nao uma para com dos em os da'),
  nl: stems('het een van voor niet op met zijn'),
};
const minMarkerWords = 5;

/** The marker words of all languages, to look up in the vocabulary of a knowledge base. */
export const allMarkerWords: readonly string[] = [...new Set(Object.values(markerWords).flat())];

/** The languages that texts with this vocabulary may be in. English, Chinese and Japanese are always among them. */
export const detectTextLanguages = (vocabulary: ReadonlySet<string>): Language[] =>
  languages.filter((language) => {
    const markers = markerWords[language];
    return markers === undefined || markers.filter((word) => vocabulary.has(word)).length >= minMarkerWords;
  });
