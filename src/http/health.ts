import type { Context } from 'koa';

export type Readiness = { status: 'ready' } | { status: 'starting' | 'draining' | 'degraded'; reason: string };

/** Whether requests are taken, as `/ready` answers it (contract, section 3). */
export type Health = {
  ready(): Readiness;
  become(state: Readiness): void;
};

export function createHealth(): Health {
  let current: Readiness = { status: 'starting', reason: 'the server is starting' };
  return {
    ready: () => current,
    become: (state) => {
      current = state;
    },
  };
}

export function healthAnswer(ctx: Context, state: Readiness): void {
  ctx.status = state.status === 'ready' ? 200 : 503;
  ctx.body = state;
}
