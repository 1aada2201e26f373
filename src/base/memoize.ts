/**
 * A function that keeps what it made of its last keys: for what is asked for again and again and costs more to make than to find.
 * When `most` keys are kept all are forgotten, which is cheaper than knowing the oldest and as good where they are few.
 */
export function memoize<V>(most: number, make: (key: string) => V): (key: string) => V {
  const kept = new Map<string, V>();
  return (key) => {
    const known = kept.get(key);
    if (known !== undefined) return known;
    const made = make(key);
    if (kept.size >= most) kept.clear();
    kept.set(key, made);
    return made;
  };
}
