import { installation, type Scope } from '../transaction.ts';

/**
 * Lets transactions of one scope run one after the other, those of different scopes at the same time, and those of `installation` alone. One
 * of several scopes begins when it may begin in each of them.
 */
export type ScopeLine = {
  /** Resolves when the caller may begin. The caller must call what it resolves to. */
  enter(scopes: readonly Scope[]): Promise<() => void>;
};

type Waiter = { scopes: readonly Scope[]; begin: () => void };

export function createScopeLine(): ScopeLine {
  const running = new Set<Scope>();
  let waiting: Waiter[] = [];

  /** In the order in which they came: `installation` lets nobody pass, because it would never be alone. */
  function admit(): void {
    const before = new Set(running);
    const left: Waiter[] = [];
    for (const waiter of waiting) {
      const { scopes } = waiter;
      const mayBegin = scopes.includes(installation)
        ? before.size === 0
        : !before.has(installation) && !scopes.some((scope) => before.has(scope));
      for (const scope of scopes) before.add(scope);
      if (!mayBegin) left.push(waiter);
      else {
        for (const scope of scopes) running.add(scope);
        waiter.begin();
      }
    }
    waiting = left;
  }

  return {
    async enter(scopes) {
      await new Promise<void>((begin) => {
        waiting.push({ scopes, begin });
        admit();
      });
      return () => {
        for (const scope of scopes) running.delete(scope);
        admit();
      };
    },
  };
}
