/** A line that two texts share, that only the first has, or that only the second has. */
export type DiffLine = { op: '=' | '-' | '+'; text: string };

/** Longer texts are not compared. */
const maxLines = 5000;
/** Texts that differ in more lines than this are shown as replaced: the search takes memory and time with the square of the difference. */
const maxEdits = 1000;

/** Compares two texts by lines (Myers, "An O(ND) Difference Algorithm", 1986); null if either has too many. */
export function diffLines(before: string, after: string): DiffLine[] | null {
  const [a, b] = [linesOf(before), linesOf(after)];
  if (a.length > maxLines || b.length > maxLines) return null;
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start += 1;
  let [endA, endB] = [a.length, b.length];
  while (endA > start && endB > start && a[endA - 1] === b[endB - 1]) {
    endA -= 1;
    endB -= 1;
  }
  const same = (lines: readonly string[]): DiffLine[] => lines.map((text) => ({ op: '=', text }));
  return [...same(a.slice(0, start)), ...between(a.slice(start, endA), b.slice(start, endB)), ...same(a.slice(endA))];
}

const linesOf = (text: string): string[] => (text === '' ? [] : text.split('\n'));

function between(a: readonly string[], b: readonly string[]): DiffLine[] {
  const trace = searchedPaths(a, b);
  if (trace === null)
    return [...a.map((text): DiffLine => ({ op: '-', text })), ...b.map((text): DiffLine => ({ op: '+', text }))];
  const lines: DiffLine[] = [];
  let [x, y] = [a.length, b.length];
  for (let d = trace.length - 1; d >= 0; d -= 1) {
    const furthest = trace[d]!;
    const isInsertion = isDown(furthest, x - y, d);
    const fromK = x - y + (isInsertion ? 1 : -1);
    const fromX = furthest.get(fromK)!;
    const fromY = fromX - fromK;
    for (; x > fromX && y > fromY; y -= 1) lines.push({ op: '=', text: a[--x]! });
    if (d > 0) lines.push(isInsertion ? { op: '+', text: b[fromY]! } : { op: '-', text: a[fromX]! });
    [x, y] = [fromX, fromY];
  }
  return lines.toReversed();
}

const isDown = (furthest: ReadonlyMap<number, number>, k: number, d: number): boolean =>
  k === -d || (k !== d && (furthest.get(k - 1) ?? -1) < (furthest.get(k + 1) ?? -1));

/** For each number of edits, how far the paths on each diagonal had come before it; null if there are too many edits. */
function searchedPaths(a: readonly string[], b: readonly string[]): Array<Map<number, number>> | null {
  const trace: Array<Map<number, number>> = [];
  let furthest = new Map([[1, 0]]);
  for (let d = 0; d <= Math.min(a.length + b.length, maxEdits); d += 1) {
    trace.push(furthest);
    const next = new Map<number, number>();
    for (let k = -d; k <= d; k += 2) {
      let x = isDown(furthest, k, d) ? (furthest.get(k + 1) ?? 0) : (furthest.get(k - 1) ?? 0) + 1;
      while (x < a.length && x - k < b.length && a[x] === b[x - k]) x += 1;
      next.set(k, x);
      if (x >= a.length && x - k >= b.length) return trace;
    }
    furthest = next;
  }
  return null;
}
