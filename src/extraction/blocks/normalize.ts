/** Control characters, byte order marks, soft hyphens, and zero-width characters that no script needs inside words. */
const invisibleCharacters = new RegExp(
  String.raw`[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u0084\u0086-\u009F\u00AD\u200B\u2060\uFEFF\uFFFE\uFFFF]`,
  'g',
);

/** Removes invisible characters, replaces lone surrogates with U+FFFD and composes accents (NFC). */
const cleanCharacters = (text: string): string => text.replace(invisibleCharacters, '').toWellFormed().normalize('NFC');

/** Normalizes text to one line: clean characters, each run of white space collapsed to one space. */
export const normalizeLine = (text: string): string => cleanCharacters(text).replace(/\s+/g, ' ').trim();

/** Normalizes text whose line breaks and indentation matter, such as code. */
export const normalizeLines = (text: string): string =>
  cleanCharacters(text.replace(/\r\n?/g, '\n'))
    .replace(/[^\S\n]+$/gm, '')
    .replace(/^\n+|\n+$/g, '');
