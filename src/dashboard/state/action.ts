import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { newIdempotencyKey, ParleyError } from '../client.ts';
import { common } from '../text/en.ts';
import { announce } from './announce.ts';
import { messageOf } from './form.ts';

export type Action = {
  busy: boolean;
  /** The error of the last run. */
  problem: string | undefined;
  /** Does it, unless it is being done: a double click is one request. Resolves with whether it succeeded. */
  run(act: (options: { idempotencyKey: string }) => Promise<void>, success?: string): Promise<boolean>;
  hasFailed(): boolean;
};

/** A button's request. A try whose answer got lost is repeated with the same key, so that it is carried out once. */
export function useAction(): Action {
  const busy = useSignal(false);
  const problem = useSignal<string | undefined>(undefined);
  const key = useRef(newIdempotencyKey());
  return {
    busy: busy.value,
    problem: problem.value,
    hasFailed: () => problem.peek() !== undefined,
    async run(act, success) {
      if (busy.peek()) return false;
      busy.value = true;
      problem.value = undefined;
      try {
        await act({ idempotencyKey: key.current });
        key.current = newIdempotencyKey();
        if (success !== undefined) announce(success);
        return true;
      } catch (error) {
        if (error instanceof ParleyError) key.current = newIdempotencyKey();
        problem.value = problemOf(error);
        return false;
      } finally {
        busy.value = false;
      }
    },
  };
}

/** Why an action failed. Of a thing that somebody has changed meanwhile, it says who. */
export function problemOf(error: unknown): string {
  const isStale = error instanceof ParleyError && error.status === 412;
  return isStale ? common.changedMeanwhile(error.conflict?.changed_by?.name ?? null) : messageOf(error);
}
