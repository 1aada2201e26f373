/** Phone numbers in what a person types. */

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
