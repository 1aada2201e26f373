import type { Context } from 'koa';
import { type Storage, unreachable } from '../db/storage.ts';

/** Why the server is not ready. The reason for `degraded` ends with the storage's own message. */
export const startingReason = 'the server is starting';
export const drainingReason = 'the server is stopping';

export type Readiness =
  | { status: 'ready' }
  | { status: 'starting'; reason: typeof startingReason }
  | { status: 'draining'; reason: typeof drainingReason }
  | { status: 'degraded'; reason: string };

/** Whether the server takes requests, as `/ready` reports it (docs/api/process.md, "Health"). */
export type Health = {
  readiness(): Readiness;
  /** Like `readiness`, but first writes to a failed storage again: without a write, its recovery would go unnoticed. */
  probe(): Promise<Readiness>;
  set(state: Readiness): void;
};

/** A ready server becomes `degraded` when its storage refuses writes; reads still work. */
export function createHealth(storage?: Storage): Health {
  let current: Readiness = { status: 'starting', reason: startingReason };
  const readiness = (): Readiness => {
    const refusal = storage?.refusal();
    if (current.status !== 'ready' || !refusal) return current;
    return {
      status: 'degraded',
      reason: refusal.startsWith(unreachable) ? refusal : `the storage refuses writes: ${refusal}`,
    };
  };
  return {
    readiness,
    async probe() {
      if (readiness().status === 'degraded') await storage?.probe();
      return readiness();
    },
    set: (state) => {
      current = state;
    },
  };
}

export function sendReadiness(ctx: Context, state: Readiness): void {
  ctx.status = state.status === 'ready' ? 200 : 503;
  ctx.body = state;
}
