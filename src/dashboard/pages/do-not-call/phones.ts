/** Phone numbers in what a person types or brings as a file. */

const separators = /[,;\n\r\t]+/;

/** The numbers of a text, each once. Spaces within a number are how people write it. */
export const phonesOf = (text: string): string[] => [
  ...new Set(
    text
      .split(separators)
      .map((part) => part.replace(/[\s().-]/g, ''))
      .filter((part) => part !== ''),
  ),
];

export type Line = { row: number; text: string };

const international = /\+[1-9](?:[ ().-]{0,2}\d){6,14}/g;

/** The numbers in international form of a file, and the lines that have none. A first line without digits is a heading. */
export function readPhones(file: string): { phones: string[]; rejected: Line[] } {
  const phones: string[] = [];
  const rejected: Line[] = [];
  for (const [index, text] of file.split(/\r\n|\r|\n/).entries()) {
    const found = text.match(international) ?? [];
    phones.push(...found.map((phone) => phone.replace(/[^+\d]/g, '')));
    const isHeading = index === 0 && !/\d/.test(text);
    if (found.length === 0 && text.trim() !== '' && !isHeading) rejected.push({ row: index + 1, text });
  }
  return { phones, rejected };
}
