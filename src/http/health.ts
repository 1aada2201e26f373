import type { Context } from 'koa';
import type { Storage } from '../db/storage.ts';

export type Readiness = { status: 'ready' } | { status: 'starting' | 'draining' | 'degraded'; reason: string };

/** Whether requests are taken, as `/ready` answers it (contract, section 3). */
export type Health = {
  ready(): Readiness;
  /** The same, but a storage that refused a write is tried again first: else nothing might ever write to it. */
  look(): Promise<Readiness>;
  become(state: Readiness): void;
};

/** Once ready, a server whose storage refuses writes is `degraded`: it goes on reading. */
export function createHealth(storage?: Storage): Health {
  let current: Readiness = { status: 'starting', reason: 'the server is starting' };
  const ready = (): Readiness => {
    const refusal = storage?.refusal();
    if (current.status !== 'ready' || !refusal) return current;
    return { status: 'degraded', reason: `the storage refuses writes: ${refusal}` };
  };
  return {
    ready,
    async look() {
      if (ready().status === 'degraded') await storage?.probe();
      return ready();
    },
    become: (state) => {
      current = state;
    },
  };
}

export function healthAnswer(ctx: Context, state: Readiness): void {
  ctx.status = state.status === 'ready' ? 200 : 503;
  ctx.body = state;
}
