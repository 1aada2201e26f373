/** Letters that Unicode does not decompose, with the spelling that people use whose keyboard lacks the letter. */
const transliterations: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
};

/** Accents of Latin, Greek and Cyrillic, vowel points of Hebrew and Arabic. Marks of other scripts are part of the word. */
const diacritics = /[\u0300-\u036f\u0591-\u05c7\u064b-\u065f\u0670]/g;

/** Normalizes text for comparison: removes compatibility forms, case and accents. Lone surrogates become U+FFFD. */
export const fold = (text: string): string =>
  /[^\p{ASCII}]/u.test(text)
    ? text
        .toWellFormed()
        .normalize('NFKC')
        .toLowerCase()
        .normalize('NFD')
        .replaceAll(diacritics, '')
        .normalize('NFC')
        .replaceAll(/[ßæœøłđðþı]/g, (letter) => transliterations[letter]!)
    : text.toLowerCase();
