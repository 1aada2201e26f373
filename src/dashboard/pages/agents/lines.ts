export type Line = { op: '=' | '-' | '+'; text: string };

/** Two texts by lines: what they begin and end with in common, and between these the lines of each. */
export function linesOf(before: string, after: string): Line[] {
  const [old, fresh] = [before.split('\n'), after.split('\n')];
  const most = Math.min(old.length, fresh.length);
  let start = 0;
  while (start < most && old[start] === fresh[start]) start += 1;
  let end = 0;
  while (end < most - start && old.at(-1 - end) === fresh.at(-1 - end)) end += 1;
  const as = (op: Line['op'], lines: readonly string[]): Line[] => lines.map((text) => ({ op, text }));
  return [
    ...as('=', old.slice(0, start)),
    ...as('-', old.slice(start, old.length - end)),
    ...as('+', fresh.slice(start, fresh.length - end)),
    ...as('=', old.slice(old.length - end)),
  ];
}
