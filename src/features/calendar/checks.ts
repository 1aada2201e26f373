import { messageOf } from '../../base/errors.ts';
import { transact, type Tx } from '../../db/transaction.ts';
import type { App } from '../../kernel/app.ts';
import { cancel, enqueue, jobKind } from '../../kernel/queue.ts';
import { type CalendarAccount, recheckDelayMs } from './connection.ts';
import { whoAmI } from './provider/cal-com.ts';
import type { SessionOptions } from './provider/session.ts';
import { accountErrorOf, type ProviderResult, queryProvider } from './provider-query.ts';
import * as store from './store.ts';

/**
 * Checks whether the provider still accepts an account's key: once a day, and sooner while the check fails. Every other request with
 * the key is recorded as a check as well.
 */
export const checkAccount = jobKind<{ orgId: string; failures: number }>('calendar.check');

type AccountRef = { id: string; orgId: string };

/** Schedules the next check of an account; `failures` is the number of failed checks in a row so far. */
export function scheduleCheck(app: App, tx: Tx, { id, orgId }: AccountRef, failures: number): Promise<void> {
  return enqueue(app, tx, checkAccount, {
    key: id,
    lane: `calendar:${orgId}`,
    dueAt: app.clock.now() + recheckDelayMs(failures),
    payload: { orgId, failures },
    onConflict: failures > 0 ? 'earliest' : 'replace',
  });
}

export const cancelChecks = (tx: Tx, accountId: string): Promise<void> => cancel(tx, checkAccount, accountId);

/** Stores the `error` of each account as its query showed it, if it has changed. All accounts must be of one organization. */
export async function recordResults(app: App, results: ReadonlyArray<ProviderResult<unknown>>): Promise<void> {
  const changed = results.filter((result) => accountErrorOf(result) !== result.account.error);
  const [first] = changed;
  if (!first) return;
  try {
    await transact(app.db, first.account.orgId, async (tx) => {
      for (const result of changed) await recordResult(app, tx, result);
    });
  } catch (error) {
    // Reads go on while the storage refuses writes; the next check records the same again.
    app.log.warn({ error: messageOf(error) }, 'the state of calendar accounts could not be recorded');
  }
}

async function recordResult(app: App, tx: Tx, result: ProviderResult<unknown>): Promise<void> {
  const error = accountErrorOf(result);
  const isConnected = await store.setError(tx, result.account.id, error);
  if (isConnected && error !== null) await scheduleCheck(app, tx, result.account, 1);
}

/** Longest time that a status request waits for a provider that failed before. */
const maxStatusWaitMs = 2000;

/** Checks once more those accounts whose last check failed. Returns all accounts with their current `error`. */
export async function recheckFailing(app: App, accounts: readonly CalendarAccount[]): Promise<CalendarAccount[]> {
  const options = { timeoutMs: Math.min(maxStatusWaitMs, app.config.calendar.timeout_ms), retries: 0 };
  const failing = accounts.filter(({ error }) => error !== null);
  const results = await Promise.all(failing.map((account) => queryProvider(app, account, whoAmI, options)));
  await recordResults(app, results);
  const errors = new Map(results.map((result) => [result.account.id, accountErrorOf(result)]));
  return accounts.map((account) => ({ ...account, error: errors.get(account.id) ?? null }));
}

/** Asks the provider who the account's key belongs to, once. @throws Error that says why it did not answer */
export async function reachAccount(app: App, account: CalendarAccount, options: SessionOptions): Promise<void> {
  const { failure } = await queryProvider(app, account, whoAmI, { ...options, retries: 0 });
  if (failure) throw failure;
}
