import { dayMs, minuteMs } from '../../base/clock.ts';
import { createHmac } from 'node:crypto';
import type { EncryptedTable } from '../../kernel/encrypted-table.ts';

/** A connected account at the calendar provider (docs/api/calendar.md). */
export type CalendarAccount = {
  id: string;
  orgId: string;
  /** Null for an account of the organization itself. */
  agentId: string | null;
  accountName: string;
  /** The provider's API key, encrypted with `encryptionContext(id)`; never part of a response. */
  encryptedKey: string;
  /** Why the last check failed; null when it succeeded. */
  error: string | null;
  /** Unix milliseconds. */
  connectedAt: number;
};

/** The accounts of an organization or an agent, and whether there are any. */
export type ConnectionStatus = { status: 'active' | 'not_connected'; accounts: readonly CalendarAccount[] };

export const statusOf = (accounts: readonly CalendarAccount[]): ConnectionStatus => ({
  status: accounts.length > 0 ? 'active' : 'not_connected',
  accounts,
});

/** The account's name when neither the caller nor the provider gives one. */
const fallbackName = 'Calendar account';

type Person = { name?: string | null; username?: string | null; email?: string | null };

/** The provider's name for an account; undefined when it has none. */
export function providerNameOf({ name, username, email }: Person): string | undefined {
  return [name, username, email].find((text) => typeof text === 'string' && text.trim() !== '')?.trim();
}

/** The caller's name for the account, else its name until now, else the provider's. A previous fallback name does not count. */
export function nameFor(
  requested: string | undefined,
  previous: string | undefined,
  provider: string | undefined,
): string {
  const kept = previous === fallbackName ? undefined : previous;
  return requested ?? kept ?? provider ?? fallbackName;
}

/** Binds an encrypted key to its account, so that it cannot be decrypted for any other row. */
export const encryptionContext = (accountId: string): string => `calendar_accounts:${accountId}`;

export const encryptedCalendarKeys: EncryptedTable = {
  table: 'calendar_accounts',
  columns: ['key_sealed'],
  key: ['id'],
  contextOf: (row) => encryptionContext(row['id']!),
};

/**
 * A digest that recognizes the same key within an organization. Provider keys are long and random, so a fast hash is safe; keying it
 * with the organization keeps the database from revealing that two organizations use the same key.
 */
export const keyDigest = (orgId: string, apiKey: string): string =>
  createHmac('sha256', orgId).update(apiKey).digest('hex');

/** Delays after the 1st, 2nd, … consecutive failed check. After that, and while checks succeed, accounts are checked once a day. */
const recheckDelaysMs = [1, 5, 30, 120, 360].map((minutes) => minutes * minuteMs);

/** Delay until the next check; `failures` is the number of consecutive failed checks, including the last one. */
export const recheckDelayMs = (failures: number): number => recheckDelaysMs[failures - 1] ?? dayMs;
