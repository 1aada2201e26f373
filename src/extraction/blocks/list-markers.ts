/** The items of a list and of the lists within it, as lines: "- one", "2. two", two spaces deeper for each list around. */
export type Items = {
  open(ordered: boolean): void;
  /** @returns whether that was the outermost */
  close(): boolean;
  isOpen(): boolean;
  /** What precedes the text of a new item. */
  mark(): string;
};

/** Deeper ones are written as deep as this. */
const maxIndents = 8;

export function createItems(): Items {
  const numbers: Array<number | null> = [];
  return {
    open: (ordered) => void numbers.push(ordered ? 0 : null),
    close() {
      numbers.pop();
      return numbers.length === 0;
    },
    isOpen: () => numbers.length > 0,
    mark() {
      const indent = '  '.repeat(Math.min(numbers.length - 1, maxIndents));
      const number = numbers.at(-1);
      if (number === null || number === undefined) return `${indent}- `;
      numbers[numbers.length - 1] = number + 1;
      return `${indent}${number + 1}. `;
    },
  };
}
