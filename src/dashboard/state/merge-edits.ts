export type FieldValue = string | boolean | readonly string[];
export type Values = Readonly<Record<string, FieldValue>>;

/** A field that two people have changed: what it was, and the other's value. */
export type Clash = { name: string; was: FieldValue; theirs: FieldValue };

/** What becomes of a form whose thing somebody else has saved: `taken` are the fields that only they have changed. */
export type MergedEdits<V extends Values> = { values: V; taken: string[]; clashes: Clash[] };

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/** Joins two people's changes of the same values. Where both have changed a field, ours stays until somebody chooses. */
export function mergeEdits<V extends Values>(saved: V, mine: V, theirs: V): MergedEdits<V> {
  const values: Record<string, FieldValue> = {};
  const taken: string[] = [];
  const clashes: Clash[] = [];
  for (const name of new Set([...Object.keys(theirs), ...Object.keys(mine)])) {
    const isMine = !isSame(mine[name], saved[name]);
    const isTheirs = !isSame(theirs[name], saved[name]);
    const value = isMine ? mine[name] : theirs[name];
    if (value !== undefined) values[name] = value;
    if (isTheirs && !isMine) taken.push(name);
    if (isTheirs && isMine && !isSame(mine[name], theirs[name]))
      clashes.push({ name, was: saved[name] ?? '', theirs: theirs[name] ?? '' });
  }
  return { values: values as V, taken, clashes };
}

/** The names of the fields in which values differ. */
export const changedNames = (before: Values, after: Values): string[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])].filter((name) => !isSame(before[name], after[name]));

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The fields of a body that differ from those of another; of an object in it, its fields that differ. */
export function changedFields<T extends object>(before: T, after: T): Partial<T> {
  const old = before as Record<string, unknown>;
  const changed = Object.entries(after).flatMap(([name, value]): Array<[string, unknown]> => {
    if (isSame(old[name], value)) return [];
    return [[name, isObject(value) && isObject(old[name]) ? changedFields(old[name], value) : value]];
  });
  return Object.fromEntries(changed) as Partial<T>;
}
