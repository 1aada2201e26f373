/** Work that has begun, and that somebody waits for before they stop. */
export type Unfinished = {
  add(work: Promise<void>): void;
  /** Resolves when nothing is unfinished, including what is added meanwhile. */
  settled(): Promise<void>;
};

export function createUnfinished(): Unfinished {
  const unfinished = new Set<Promise<void>>();
  return {
    add(work) {
      unfinished.add(work);
      void work.finally(() => unfinished.delete(work));
    },
    async settled() {
      while (unfinished.size > 0) await Promise.all(unfinished);
    },
  };
}
