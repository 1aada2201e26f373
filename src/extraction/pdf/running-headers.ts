import { bodySizeOf, type Line, textOfLine } from './lines.ts';

/** Of a page's height, at its top and at its foot. */
const margin = 0.08;
const minPages = 3;
/** A page number, with what people write around it. */
const pageNumber = /^(?:page )?(?:[-–] )?(?:#|[ivxlc]+)(?: ?(?:of|\/|\|) ?#)?(?: [-–])?$/;

export type PageLines = { lines: Line[]; height: number };

/**
 * Without running heads and feet: page numbers, and what stands at the top or the foot of several pages, the same but for its
 * numbers, and is no larger than the body, as titles are.
 */
export function withoutFurniture(pages: readonly PageLines[]): Line[] {
  const largest = bodySizeOf(pages.flatMap(({ lines }) => lines)) + 1;
  const inMargin = ({ y, size }: Line, { height }: PageLines): boolean =>
    size <= largest && (y < height * margin || y > height * (1 - margin));
  const seen = new Map<string, number>();
  for (const page of pages) {
    const patterns = new Set(page.lines.filter((line) => inMargin(line, page)).map(patternOf));
    for (const pattern of patterns) seen.set(pattern, (seen.get(pattern) ?? 0) + 1);
  }
  const repeated = (pattern: string): boolean => pageNumber.test(pattern) || (seen.get(pattern) ?? 0) >= minPages;
  return pages.flatMap((page) => page.lines.filter((line) => !inMargin(line, page) || !repeated(patternOf(line))));
}

const patternOf = (line: Line): string => textOfLine(line).replace(/\d+/g, '#').trim().toLowerCase();
