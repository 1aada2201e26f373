/**
 * Caches the results of a function by key. When `maxEntries` are cached, all are dropped: that is cheaper than tracking the oldest, and
 * as good when the keys in use are few. Results that are undefined are not cached.
 */
export function memoize<V>(maxEntries: number, make: (key: string) => V): (key: string) => V {
  const cache = new Map<string, V>();
  return (key) => {
    const cached = cache.get(key);
    if (cached !== undefined) return cached;
    const made = make(key);
    if (cache.size >= maxEntries) cache.clear();
    cache.set(key, made);
    return made;
  };
}
