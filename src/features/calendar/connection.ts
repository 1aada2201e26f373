import { createHmac } from 'node:crypto';
import type { SealedTable } from '../../kernel/sealed.ts';

/** An account at the calendar provider that is connected (interface, Calendar connection; contract, section 9). */
export type CalendarAccount = {
  id: string;
  orgId: string;
  /** Null: the account is the organization's. */
  agentId: string | null;
  accountName: string;
  /** The provider API key, sealed for `sealContext(id)`; never answered. */
  keySealed: string;
  /** Why the last check failed; null when it succeeded. */
  error: string | null;
  /** Unix milliseconds. */
  connectedAt: number;
};

/** The accounts of an organization or an agent as one answer. */
export type ConnectionStatus = { status: 'active' | 'not_connected'; accounts: readonly CalendarAccount[] };

export const statusOf = (accounts: readonly CalendarAccount[]): ConnectionStatus => ({
  status: accounts.length > 0 ? 'active' : 'not_connected',
  accounts,
});

/** The name of an account of which neither the caller nor the provider says one. */
const fallbackName = 'Calendar account';

type Person = { name?: string | null; username?: string | null; email?: string | null };

/** The provider's name for an account (contract, section 12); undefined when it says none. */
export function providerNameOf({ name, username, email }: Person): string | undefined {
  return [name, username, email].find((text) => typeof text === 'string' && text.trim() !== '')?.trim();
}

/**
 * What an account is called: as the caller says, else as before, else as the provider says. `before` is the name of the account that
 * the key was connected as already.
 */
export function nameFor(given: string | undefined, before: string | undefined, provider: string | undefined): string {
  const kept = before === fallbackName ? undefined : before;
  return given ?? kept ?? provider ?? fallbackName;
}

/** Binds a sealed provider key to its account, so that it opens nowhere else. */
export const sealContext = (accountId: string): string => `calendar_accounts:${accountId}`;

export const sealedAccounts: SealedTable = {
  table: 'calendar_accounts',
  columns: ['key_sealed'],
  key: ['id'],
  contextOf: (row) => sealContext(row['id']!),
};

/**
 * Tells the same key of the same organization again without keeping it. Provider keys are long and random, so that a plain digest
 * needs no stretching; the organization in it keeps two of them from being compared.
 */
export const keyDigest = (orgId: string, apiKey: string): string =>
  createHmac('sha256', orgId).update(apiKey).digest('hex');

const minuteMs = 60_000;
const dayMs = 1440 * minuteMs;

/** Waits after the 1st, 2nd, … check in a row that failed; after that, and while all is well, an account is checked once a day. */
const recheckDelaysMs = [1, 5, 30, 120, 360].map((minutes) => minutes * minuteMs);

/** How long after a check the next one is due; `failures` counts those in a row that failed, the last one included. */
export const recheckDelayMs = (failures: number): number => recheckDelaysMs[failures - 1] ?? dayMs;
