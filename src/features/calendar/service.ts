import { AppError, type Fault, invalid, invalidAt } from '../../base/errors.ts';
import { type Queryable, transact, type Tx } from '../../db/transaction.ts';
import type { App } from '../../kernel/app.ts';
import { findAgent } from '../agents/service.ts';
import { cancelChecks, refreshed, scheduleCheck } from './checks.ts';
import {
  type CalendarAccount,
  type ConnectionStatus,
  keyDigest,
  nameFor,
  providerNameOf,
  sealContext,
  statusOf,
} from './connection.ts';
import { requireOwn } from '../organizations/org-id.ts';
import { whoAmI } from './provider/cal-com.ts';
import { ProviderFailure } from './provider/failure.ts';
import { openSession } from './provider/session.ts';
import * as store from './store.ts';

/** The fields are named as in the body, which faults repeat. */
export type NewConnection = { org_id: string; api_key: string; account_name?: string; agent_id?: string };

/** What is wrong with a connection beyond its form: an agent that is not the organization's. */
export async function connectFaults(db: Queryable, orgId: string, input: Partial<NewConnection>): Promise<Fault[]> {
  if (input.agent_id === undefined || (await findAgent(db, orgId, input.agent_id))) return [];
  return [{ path: 'agent_id', message: 'no such agent' }];
}

/**
 * Connects an account at the provider, or updates the one that has the same key at the same level. A provider that is out of reach or
 * fails does not stand in the way: the account's `error` says so.
 * @throws invalid for an unknown agent, or when the provider refuses the key; notFound for another organization
 */
export async function connect(app: App, orgId: string, input: NewConnection): Promise<CalendarAccount> {
  await requireAgent(app.db, orgId, input);
  requireOwn(orgId, input.org_id);
  const identity = await identify(app, input.api_key);
  return transact(app.db, async (tx) => {
    await requireAgent(tx, orgId, input); // it may have gone while the provider was asked
    const account = await save(app, tx, orgId, input, identity);
    await scheduleCheck(app, tx, account, identity.error === null ? 0 : 1);
    return account;
  });
}

async function requireAgent(db: Queryable, orgId: string, input: NewConnection): Promise<void> {
  const faults = await connectFaults(db, orgId, input);
  if (faults.length > 0) throw invalid(faults);
}

type Identity = { name: string | undefined; error: string | null };

/** Who the provider says the key belongs to. @throws invalid at api_key when it refuses the key */
async function identify(app: App, apiKey: string): Promise<Identity> {
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
  identity: Identity,
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
    keySealed: app.secrets.seal(input.api_key, sealContext(id)),
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
      key_sealed: account.keySealed,
      key_digest: digest,
      error: account.error,
      connected_at: account.connectedAt,
    });
  return account;
}

/**
 * Disconnects one account of any level, or all that are the organization's own, and erases their keys.
 * @throws notFound for another organization; notFound without a code when there is nothing to disconnect (contract, section 1)
 */
export async function disconnect(
  app: App,
  orgId: string,
  input: { org_id: string; provider_id?: string },
): Promise<number> {
  requireOwn(orgId, input.org_id);
  const id = input.provider_id;
  return transact(app.db, async (tx) => {
    const accounts =
      id === undefined
        ? await store.accountsOf(tx, orgId, null)
        : [await store.activeAccount(tx, orgId, id)].filter((account) => account !== undefined);
    if (accounts.length === 0) throw nothingToDisconnect(id);
    for (const account of accounts) {
      await store.disconnectAccount(tx, account.id, app.clock.now());
      await cancelChecks(tx, account.id);
    }
    return accounts.length;
  });
}

const nothingToDisconnect = (id: string | undefined): AppError =>
  new AppError(
    'not_found',
    id === undefined ? 'No calendar account of the organization is connected.' : 'No such calendar account.',
    { codeless: true },
  );

/** The accounts of the organization itself, or of one agent: an agent that is not the organization's has none. */
export async function connectionStatus(app: App, orgId: string, agentId: string | null): Promise<ConnectionStatus> {
  return statusOf(await refreshed(app, await store.accountsOf(app.db, orgId, agentId)));
}
