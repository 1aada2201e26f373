import { stem } from './stem.ts';

/** The languages whose words the search knows something about, in the order of the columns in meanings/. */
export const languages = ['en', 'de', 'es', 'fr', 'it', 'pt', 'nl', 'zh', 'ja'] as const;
export type Language = (typeof languages)[number];

/** Of these languages the index has the words as they are meant: stemmed, or without any forms. */
export const isWhole = (language: Language): boolean => language === 'en' || language === 'zh' || language === 'ja';

const stems = (words: string): string[] => words.split(' ').map(stem);

/** Words that hardly any longer text of a language does without, and few of another have. */
const marks: Partial<Record<Language, readonly string[]>> = {
  de: stems('der und nicht fur ist auf mit ein'),
  es: stems('los las con por del una para el'),
  fr: stems('les des pour dans est avec une sur'),
  it: stems('gli della per che con sono non il'),
  pt: stems('nao uma para com dos em os da'),
  nl: stems('het een van voor niet op met zijn'),
};
const enough = 5;

/** All of them, to be looked up in the vocabulary of a base. */
export const allMarks: readonly string[] = [...new Set(Object.values(marks).flat())];

/** The languages that texts with these words may be in. English and those of scripts of their own always may. */
export const languagesWith = (known: ReadonlySet<string>): Language[] =>
  languages.filter((language) => {
    const own = marks[language];
    return own === undefined || own.filter((word) => known.has(word)).length >= enough;
  });
