import { AppError, type Fault, invalid, invalidAt } from '../../base/errors.ts';
import { type Queryable, transact, type Tx } from '../../db/transaction.ts';
import type { App } from '../../kernel/app.ts';
import { findAgent } from '../agents/service.ts';
import { cancelChecks, reachAccount, recheckFailing, scheduleCheck } from './checks.ts';
import {
  type CalendarAccount,
  type ConnectionStatus,
  keyDigest,
  nameFor,
  providerNameOf,
  encryptionContext,
  statusOf,
} from './connection.ts';
import { requireOwn } from '../organizations/org-id.ts';
import { whoAmI } from './provider/cal-com.ts';
import { ProviderFailure } from './provider/failure.ts';
import { openSession } from './provider/session.ts';
import * as store from './store.ts';

/** The input of `connect`. Fields are named as in the request body, so that faults can point to them. */
export type NewConnection = { org_id: string; api_key: string; account_name?: string; agent_id?: string };

/** A fault when the organization has no such agent, which the schema cannot check. */
export async function connectFaults(db: Queryable, orgId: string, input: Partial<NewConnection>): Promise<Fault[]> {
  if (input.agent_id === undefined || (await findAgent(db, orgId, input.agent_id))) return [];
  return [{ path: 'agent_id', message: 'no such agent' }];
}

/**
 * Connects an account at the provider, or updates the one with the same key at the same level (organization or agent). If the provider
 * is unreachable or fails, the account is connected all the same and its `error` says why.
 * @throws invalid for an unknown agent, or when the provider refuses the key; notFound for another organization
 */
export async function connect(app: App, orgId: string, input: NewConnection): Promise<CalendarAccount> {
  await requireAgent(app.db, orgId, input);
  requireOwn(orgId, input.org_id);
  const identity = await checkKey(app, input.api_key);
  return transact(app.db, orgId, async (tx) => {
    await requireAgent(tx, orgId, input); // it may have been deleted while the provider was queried
    const account = await save(app, tx, orgId, input, identity);
    await scheduleCheck(app, tx, account, identity.error === null ? 0 : 1);
    return account;
  });
}

async function requireAgent(db: Queryable, orgId: string, input: NewConnection): Promise<void> {
  const faults = await connectFaults(db, orgId, input);
  if (faults.length > 0) throw invalid(faults);
}

type KeyCheck = { name: string | undefined; error: string | null };

/** The name that the provider has for the key's owner, or why it could not be queried. @throws invalid when it refuses the key */
async function checkKey(app: App, apiKey: string): Promise<KeyCheck> {
  try {
    return { name: providerNameOf(await whoAmI(openSession(app, apiKey))), error: null };
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error;
    if (error.kind === 'refused') throw invalidAt('api_key', error.message);
    return { name: undefined, error: error.message };
  }
}

async function save(
  app: App,
  tx: Tx,
  orgId: string,
  input: NewConnection,
  identity: KeyCheck,
): Promise<CalendarAccount> {
  const agentId = input.agent_id ?? null;
  const digest = keyDigest(orgId, input.api_key);
  const before = await store.accountByKey(tx, { orgId, agentId, digest });
  const id = before?.id ?? app.ids.make();
  const account: CalendarAccount = {
    id,
    orgId,
    agentId,
    accountName: nameFor(input.account_name, before?.accountName, identity.name),
    encryptedKey: app.secrets.encrypt(input.api_key, encryptionContext(id)),
    error: identity.error,
    connectedAt: before?.connectedAt ?? app.clock.now(),
  };
  if (before) await store.updateAccount(tx, account);
  else
    await store.insertAccount(tx, {
      id,
      organization_id: orgId,
      agent_id: agentId,
      account_name: account.accountName,
      status: 'active',
      key_sealed: account.encryptedKey,
      key_digest: digest,
      error: account.error,
      connected_at: account.connectedAt,
    });
  return account;
}

/**
 * Disconnects one account of either level, or all accounts of the organization itself, and erases their keys.
 * @throws notFound for another organization; notFound without a code when there is nothing to disconnect
 */
export async function disconnect(
  app: App,
  orgId: string,
  input: { org_id: string; provider_id?: string },
): Promise<number> {
  requireOwn(orgId, input.org_id);
  const id = input.provider_id;
  return transact(app.db, orgId, async (tx) => {
    const accounts =
      id === undefined
        ? await store.accountsOf(tx, orgId, null)
        : [await store.activeAccount(tx, orgId, id)].filter((account) => account !== undefined);
    if (accounts.length === 0) throw noAccountToDisconnect(id);
    for (const account of accounts) {
      await store.disconnectAccount(tx, account.id, app.clock.now());
      await cancelChecks(tx, account.id);
    }
    return accounts.length;
  });
}

const noAccountToDisconnect = (id: string | undefined): AppError =>
  new AppError(
    'not_found',
    id === undefined ? 'The organization has no connected calendar account.' : 'No such calendar account.',
    { codeless: true },
  );

/** The accounts of the organization itself, or of one agent; an agent of another organization has none. */
export async function connectionStatus(app: App, orgId: string, agentId: string | null): Promise<ConnectionStatus> {
  return statusOf(await recheckFailing(app, await store.accountsOf(app.db, orgId, agentId)));
}

/** An account of any organization. `reach` queries its provider, and fails when the key does not work. */
export type Reachable = {
  name: string;
  orgId: string;
  reach: (signal: AbortSignal, timeoutMs: number) => Promise<void>;
};

/** Connected accounts of one organization or of all, at most `limit`, for `parley doctor` and `GET /system`. */
export async function reachableAccounts(app: App, limit: number, orgId?: string): Promise<Reachable[]> {
  return (await store.someAccounts(app.db, limit, orgId)).map((account) => ({
    name: account.accountName,
    orgId: account.orgId,
    reach: (signal, timeoutMs) => reachAccount(app, account, { signal, timeoutMs }),
  }));
}
