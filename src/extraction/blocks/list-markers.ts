/** Produces the markers of nested lists: "- ", "2. ", each nested list indented by two more spaces. */
export type ListMarkers = {
  openList(ordered: boolean): void;
  /** @returns whether that was the outermost list */
  closeList(): boolean;
  isOpen(): boolean;
  /** The marker of the next item of the innermost list. */
  nextMarker(): string;
};

/** Lists nested deeper get no further indentation. */
const maxIndentLevels = 8;

export function createListMarkers(): ListMarkers {
  /** Per open list, outermost first: the number of its last item, or null if it is unordered. */
  const numbers: Array<number | null> = [];
  return {
    openList: (ordered) => void numbers.push(ordered ? 0 : null),
    closeList() {
      numbers.pop();
      return numbers.length === 0;
    },
    isOpen: () => numbers.length > 0,
    nextMarker() {
      const indent = '  '.repeat(Math.min(numbers.length - 1, maxIndentLevels));
      const number = numbers.at(-1);
      if (number === null || number === undefined) return `${indent}- `;
      numbers[numbers.length - 1] = number + 1;
      return `${indent}${number + 1}. `;
    },
  };
}
