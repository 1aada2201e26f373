import { messageOf } from '../../base/errors.ts';
import { transact, type Tx } from '../../db/transaction.ts';
import type { App } from '../../kernel/app.ts';
import { cancel, enqueue, jobKind } from '../../kernel/queue.ts';
import { ask, type Asked, errorOf } from './asking.ts';
import { type CalendarAccount, recheckDelayMs } from './connection.ts';
import { whoAmI } from './provider/cal-com.ts';
import * as store from './store.ts';

/**
 * Asks the provider from time to time whether an account's key is still good: once a day, and sooner while it fails. Any other request
 * with the key tells as much and is noted as well.
 */
export const checkAccount = jobKind<{ orgId: string; failures: number }>('calendar.check');

type Checked = { id: string; orgId: string };

/** Schedules the next check of an account; `failures` are those in a row until now. */
export function scheduleCheck(app: App, tx: Tx, { id, orgId }: Checked, failures: number): Promise<void> {
  return enqueue(app, tx, checkAccount, {
    key: id,
    lane: 'calendar',
    dueAt: app.clock.now() + recheckDelayMs(failures),
    payload: { orgId, failures },
    onConflict: failures > 0 ? 'earliest' : 'replace',
  });
}

export const cancelChecks = (tx: Tx, accountId: string): Promise<void> => cancel(tx, checkAccount, accountId);

/** Writes what asking said of the accounts into their `error`, where that is news. */
export async function note(app: App, asked: ReadonlyArray<Asked<unknown>>): Promise<void> {
  const news = asked.filter((one) => errorOf(one) !== one.account.error);
  if (news.length === 0) return;
  try {
    await transact(app.db, async (tx) => {
      for (const one of news) await noteOne(app, tx, one);
    });
  } catch (error) {
    // Reads go on while the storage refuses writes (contract, section 1); the next check says it again.
    app.log.warn({ error: messageOf(error) }, 'the state of calendar accounts was not recorded');
  }
}

async function noteOne(app: App, tx: Tx, one: Asked<unknown>): Promise<void> {
  const error = errorOf(one);
  const isConnected = await store.setError(tx, one.account.id, error);
  if (isConnected && error !== null) await scheduleCheck(app, tx, one.account, 1);
}

/** A status answer does not wait longer than this for a provider that failed before. */
const statusPatienceMs = 2000;

/** The accounts as they are now: those whose last check failed are checked once more. */
export async function refreshed(app: App, accounts: readonly CalendarAccount[]): Promise<CalendarAccount[]> {
  const options = { patienceMs: Math.min(statusPatienceMs, app.config.calendar.timeout_ms), retries: 0 };
  const failing = accounts.filter(({ error }) => error !== null);
  const asked = await Promise.all(failing.map((account) => ask(app, account, whoAmI, options)));
  await note(app, asked);
  const errors = new Map(asked.map((one) => [one.account.id, errorOf(one)]));
  return accounts.map((account) => ({ ...account, error: errors.get(account.id) ?? null }));
}
