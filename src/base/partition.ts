/** The items that pass the test, and the others, both in order. */
export function partition<T>(items: readonly T[], test: (item: T) => boolean): [T[], T[]] {
  const groups = Map.groupBy(items, test);
  return [groups.get(true) ?? [], groups.get(false) ?? []];
}
