import { bodyFontSize, type Line, lineText } from './lines.ts';

/** Share of the page height, at the top and at the bottom, in which running headers and footers stand. */
const marginShare = 0.08;
/** A header or footer repeats on at least this many pages. */
const minRepeatedPages = 3;
/** Points above the body size up to which a line may be a running header; a larger one is a title. */
const maxLargerPoints = 1;
/** A page number with the usual additions ("Page 3 of 12", "- 3 -", "iv"), after digits were replaced by "#". */
const pageNumber = /^(?:page )?(?:[-–] )?(?:#|[ivxlc]+)(?: ?(?:of|\/|\|) ?#)?(?: [-–])?$/;

export type PageLines = { lines: Line[]; height: number };

/** Removes running headers, running footers and page numbers. Numbers in a header may differ from page to page. */
export function withoutRunningHeaders(pages: readonly PageLines[]): Line[] {
  const maxSize = bodyFontSize(pages.flatMap(({ lines }) => lines)) + maxLargerPoints;
  const isInMargin = ({ y, size }: Line, { height }: PageLines): boolean =>
    size <= maxSize && (y < height * marginShare || y > height * (1 - marginShare));
  const pagesByPattern = new Map<string, number>();
  for (const page of pages) {
    const patterns = new Set(page.lines.filter((line) => isInMargin(line, page)).map(patternOf));
    for (const pattern of patterns) pagesByPattern.set(pattern, (pagesByPattern.get(pattern) ?? 0) + 1);
  }
  const isRunning = (pattern: string): boolean =>
    pageNumber.test(pattern) || (pagesByPattern.get(pattern) ?? 0) >= minRepeatedPages;
  return pages.flatMap((page) => page.lines.filter((line) => !isInMargin(line, page) || !isRunning(patternOf(line))));
}

const patternOf = (line: Line): string => lineText(line).replace(/\d+/g, '#').trim().toLowerCase();
