import type { Context } from 'koa';
import { AppError } from '../base/errors.ts';
import type { OpenDatabase } from '../db/open-database.ts';
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
  /**
   * To be called before an answer: whatever a node answers must not be older than the work of another one that has become active.
   * @throws unavailable when it is not certain that this node is still the active one
   */
  requireTurn(): void | Promise<void>;
};

type Turn = Pick<OpenDatabase, 'mayAct' | 'confirmTurn'>;

/** A ready server becomes `degraded` when its storage refuses writes; reads still work. */
export function createHealth(storage?: Storage, turn?: Turn): Health {
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
      if (readiness().status === 'degraded' || storage?.isStale?.() === true) await storage?.probe();
      return readiness();
    },
    requireTurn: () => (turn === undefined || turn.mayAct() ? undefined : confirm(turn)),
    set: (state) => {
      current = state;
    },
  };
}

async function confirm({ confirmTurn }: Turn): Promise<void> {
  if (await confirmTurn()) return;
  throw new AppError(
    'unavailable',
    'It is not certain that this server is still the active one. If this request changes something, the change may have been made: ' +
      'repeat it with the same Idempotency-Key to find out.',
    { headers: { 'Retry-After': '1' } },
  );
}

export function sendReadiness(ctx: Context, state: Readiness): void {
  ctx.status = state.status === 'ready' ? 200 : 503;
  ctx.body = state;
}
