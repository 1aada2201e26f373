import type { AppError } from '../base/errors.ts';
import { guarded } from '../db/transaction.ts';
import type { App } from '../kernel/app.ts';
import type { Caller, Route } from '../kernel/route.ts';
import { refusalNow } from './auth.ts';

/**
 * Runs a request for a caller who was admitted when its headers came, and checks the caller again: now that the body has come, and inside
 * each transaction that the request begins. From the answer to a revocation on, nothing is written, and the request is refused whatever
 * `run` makes of that. `onRefused` is called before the refusal is thrown.
 * @throws unauthenticated or forbidden once the caller may not do this any more
 */
export async function whileAllowed<T>(
  app: App,
  caller: Caller,
  route: Route,
  run: () => Promise<T>,
  onRefused: () => Promise<void>,
): Promise<T> {
  let refusal: AppError | undefined;
  let isOver = false;
  const reauthorize = async (): Promise<void> => {
    if (isOver) return; // what the request has started, such as a timer, outlives it
    refusal ??= await refusalNow(app, caller, route);
    if (refusal) throw refusal;
  };
  const runChecked = async (): Promise<T> => {
    await reauthorize();
    return run();
  };
  try {
    const result = await guarded(reauthorize, runChecked);
    if (!refusal) return result;
  } catch (error) {
    if (!refusal) throw error;
  } finally {
    isOver = true;
  }
  await onRefused();
  throw refusal;
}
