import { installation, type Scope } from '../transaction.ts';

/** Lets transactions of one scope run one after the other, those of different scopes at the same time, and those of `installation` alone. */
export type ScopeLine = {
  /** Resolves when the caller may begin. The caller must call what it resolves to. */
  enter(scope: Scope): Promise<() => void>;
};

type Waiter = { scope: Scope; begin: () => void };

export function createScopeLine(): ScopeLine {
  const running = new Set<Scope>();
  let waiting: Waiter[] = [];

  /** In the order in which they came: `installation` lets nobody pass, because it would never be alone. */
  function admit(): void {
    const before = new Set(running);
    const left: Waiter[] = [];
    for (const waiter of waiting) {
      const { scope } = waiter;
      const mayBegin = scope === installation ? before.size === 0 : !before.has(scope) && !before.has(installation);
      before.add(scope);
      if (!mayBegin) left.push(waiter);
      else {
        running.add(scope);
        waiter.begin();
      }
    }
    waiting = left;
  }

  return {
    async enter(scope) {
      await new Promise<void>((begin) => {
        waiting.push({ scope, begin });
        admit();
      });
      return () => {
        running.delete(scope);
        admit();
      };
    },
  };
}
