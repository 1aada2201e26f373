/** Counts how often something happened lately, by key. `now` is domain time, which never goes back. */
export type RecentTimes = {
  /** How often it happened within the window. */
  count(key: string, now: number): number;
  add(key: string, now: number): void;
  /** Takes one entry back. */
  remove(key: string, at: number): void;
  clear(key: string): void;
  clearWhere(matches: (key: string) => boolean): void;
};

export type RecentTimesOptions = {
  windowMs: number;
  /** How many times are kept for one key, and so the highest `count`. */
  maxTimes: number;
  /** How many keys are remembered; beyond that, the key whose newest entry is the oldest is forgotten. */
  maxKeys: number;
};

/** In memory, because each entry is made by a stranger's request, which must not cost a write. */
export function createRecentTimes({ windowMs, maxTimes, maxKeys }: RecentTimesOptions): RecentTimes {
  /** The key whose newest entry is the oldest comes first. Each list is in order of time. */
  const times = new Map<string, number[]>();

  function forgetOldKeys(now: number): void {
    for (const [key, list] of times) {
      if (times.size <= maxKeys && list.at(-1)! > now - windowMs) return;
      times.delete(key);
    }
  }

  const recent = (key: string, now: number): number[] => times.get(key)?.filter((at) => at > now - windowMs) ?? [];

  return {
    count: (key, now) => recent(key, now).length,
    add(key, now) {
      const list = [...recent(key, now), now].slice(-maxTimes);
      times.delete(key);
      times.set(key, list);
      forgetOldKeys(now);
    },
    remove(key, at) {
      const list = times.get(key);
      const index = list?.indexOf(at) ?? -1;
      if (!list || index < 0) return;
      list.splice(index, 1);
      if (list.length === 0) times.delete(key);
    },
    clear: (key) => void times.delete(key),
    clearWhere(matches) {
      for (const key of times.keys()) if (matches(key)) times.delete(key);
    },
  };
}
