import { isoOf } from '../../base/clock.ts';
import { conflict, invalid, notFound } from '../../base/errors.ts';
import { onCommit, type Queryable, transact, type Tx } from '../../db/transaction.ts';
import type { App } from '../../kernel/app.ts';
import { nodeState } from '../../kernel/node.ts';
import type { Caller, Role } from '../../kernel/route.ts';
import { requireRoom } from '../../kernel/unpaged.ts';
import { hashApiKey, makeApiKey } from './api-key.ts';
import {
  type ContactLimits,
  type ContactRules,
  contactRules,
  guardIn,
  type GuardHours,
  limitsIn,
  looserThanServer,
  noLimits,
} from './contact-rules.ts';
import { contactRulesChanged } from './events.ts';
import * as store from './store.ts';

/** A new key. Only its hash is stored, so this is the only time that the key itself is available. */
export type NewApiKey = { id: string; name: string; role: Role; apiKey: string; createdAt: number };
export type { ApiKeyRow } from './store.ts';

/** The stored `last_used_at` may be this old, so that each key writes it at most once a minute. */
const lastUsedPrecisionMs = 60_000;

/** API keys in use, by hash. Only this process changes keys, and it then removes them from here. */
const keysInUse = nodeState('apiKeys', () => new Map<string, store.ApiKeyRow>());

const isDead = (key: Pick<store.ApiKeyRow, 'expires_at'>, now: number): boolean =>
  key.expires_at !== null && key.expires_at <= now;

/** The caller that an API key identifies. `recordUse` records that the key is used now. */
export type IdentifiedKey = { caller: Caller; recordUse(): Promise<void> };

/** The caller behind an API key, or undefined when it is unknown, revoked or expired. Does not count as a use of the key. */
export async function identifyApiKey(app: App, key: string): Promise<IdentifiedKey | undefined> {
  const hash = hashApiKey(key);
  const cache = keysInUse(app);
  const row = cache.get(hash) ?? (await store.apiKeyByHash(app.db, hash));
  if (!row || isDead(row, app.clock.now())) return undefined;
  cache.set(hash, row);
  return { caller: callerOf(row), recordUse: () => recordUse(app, row) };
}

/** Like `identifyApiKey` but without awaiting, for a valid key whose use was recorded within the last minute; undefined for any other. */
export function recentApiKey(app: App, key: string): Caller | undefined {
  const row = keysInUse(app).get(hashApiKey(key));
  if (!row) return undefined;
  const now = app.clock.now();
  return isDead(row, now) || isUseDue(row, now) ? undefined : callerOf(row);
}

const callerOf = ({ id: subject, organization_id: orgId, role, name }: store.ApiKeyRow): Caller => ({
  orgId,
  role,
  via: 'api_key',
  identity: 'api_key',
  subject,
  name,
});

const isUseDue = ({ last_used_at: at }: store.ApiKeyRow, now: number): boolean =>
  at === null || at <= now - lastUsedPrecisionMs;

async function recordUse(app: App, row: store.ApiKeyRow): Promise<void> {
  const now = app.clock.now();
  if (!isUseDue(row, now)) return;
  row.last_used_at = now;
  // Only log a failure: reads must keep working while the storage refuses writes (docs/api/process.md, "Storage that refuses writes").
  await store
    .setLastUsed(app.db, row.id, now)
    .catch((err: unknown) => app.log.warn({ err }, 'the last use of an API key could not be recorded'));
}

/** The role and name of a valid key; undefined when it is unknown, revoked or expired. */
export async function roleOfApiKey(
  app: App,
  orgId: string,
  id: string,
): Promise<{ role: Role; name: string } | undefined> {
  const key = await store.apiKeyRole(app.db, { orgId, id });
  return key && !isDead(key, app.clock.now()) ? key : undefined;
}

/** Creates an organization. Only PARLEY_BOOTSTRAP_ORG_ID fixes its `id`. */
export async function createOrganization(app: App, tx: Tx, name: string, id = app.ids.make()): Promise<string> {
  await store.insertOrganization(tx, { id, name, created_at: app.clock.now() });
  return id;
}

/** More would not fit into one answer of the control socket. */
const maxListed = 10_000;

/** The oldest organizations, at most 10,000. */
export const listOrganizations = async (db: Queryable): Promise<{ id: string; name: string; created_at: string }[]> =>
  (await store.oldestOrganizations(db, maxListed)).map((one) => ({ ...one, created_at: isoOf(one.created_at) }));

export const firstOrganization = (db: Queryable): Promise<string | undefined> => store.firstOrganizationId(db);

export const oldestOrganizations = (db: Queryable, limit: number): Promise<Array<{ id: string; name: string }>> =>
  store.oldestOrganizations(db, limit);

/**
 * Creates a key. Only PARLEY_BOOTSTRAP_API_KEY fixes its text (`apiKey`).
 * @throws conflict when the organization has as many keys as it may
 */
export async function createApiKey(
  app: App,
  tx: Tx,
  orgId: string,
  input: { name: string; role: Role; apiKey?: string },
): Promise<NewApiKey> {
  const apiKey = input.apiKey ?? makeApiKey();
  const key = { id: app.ids.make(), name: input.name, role: input.role, apiKey, createdAt: app.clock.now() };
  await store.deleteExpiredApiKeys(tx, orgId, key.createdAt, store.apiKeyList.max);
  await requireRoom(tx, orgId, store.apiKeyList);
  await store.insertApiKey(tx, {
    id: key.id,
    organization_id: orgId,
    name: key.name,
    role: key.role,
    key_hash: hashApiKey(apiKey),
    created_at: key.createdAt,
  });
  return key;
}

/** Valid keys, newest first. */
export async function listApiKeys(app: App, orgId: string): Promise<store.ApiKeyRow[]> {
  const now = app.clock.now();
  const rows = await store.apiKeysOf(app.db, orgId);
  return rows.filter((row) => !isDead(row, now));
}

/**
 * Revokes a key with immediate effect.
 * @throws notFound unless the organization has such a key and it is valid
 * @throws conflict for the last admin key that does not expire, because nobody could create another over HTTP
 */
export function revokeApiKey(app: App, orgId: string, id: string): Promise<void> {
  return transact(app.db, orgId, async (tx) => {
    const key = await validKey(app, tx, orgId, id);
    const keys = await store.apiKeysOf(tx, orgId);
    const admins = keys.filter((row) => row.role === 'admin' && row.expires_at === null);
    if (admins.length === 1 && admins[0]?.id === id) {
      throw conflict('This is the last admin key of the organization; create another admin key before you revoke it.');
    }
    await store.deleteApiKey(tx, id);
    onCommit(tx, () => keysInUse(app).delete(key.key_hash));
  });
}

/** The organization of a key; undefined when there is no such key. */
export const organizationOfApiKey = (db: Queryable, id: string): Promise<string | undefined> =>
  store.organizationOfApiKey(db, id);

/**
 * Creates a successor with the same name and role. The old key expires after the overlap, unless it expires earlier anyway.
 * @throws notFound unless the organization has such a key and it is valid; conflict when it has as many keys as it may
 */
export function rotateApiKey(app: App, orgId: string, id: string, overlapSec: number): Promise<NewApiKey> {
  return transact(app.db, orgId, async (tx) => {
    const old = await validKey(app, tx, orgId, id);
    const until = app.clock.now() + overlapSec * 1000;
    await store.setApiKeyExpiry(tx, id, old.expires_at === null ? until : Math.min(old.expires_at, until));
    const successor = await createApiKey(app, tx, orgId, { name: old.name, role: old.role });
    onCommit(tx, () => keysInUse(app).delete(old.key_hash));
    return successor;
  });
}

/** @throws notFound unless the organization has such a key and it is valid */
async function validKey(app: App, tx: Tx, orgId: string, id: string): Promise<store.ApiKeyRow> {
  const key = await store.apiKeyById(tx, orgId, id);
  if (!key || isDead(key, app.clock.now())) throw notFound('API key');
  return key;
}

export const organizationExists = async (db: Queryable, id: string): Promise<boolean> =>
  (await store.organizationById(db, id)) !== undefined;

/**
 * The state of the dialing limits: calls in flight, and when the next call may start (Unix milliseconds). And whether all calling is
 * stopped.
 */
export type OrganizationUsage = { inFlight: number; paceAt: number; isStopped: boolean };

/** @throws notFound when there is no such organization */
export async function usageOf(db: Queryable, orgId: string): Promise<OrganizationUsage> {
  const row = await store.organizationById(db, orgId);
  if (!row) throw notFound('organization');
  return { inFlight: row.in_flight, paceAt: row.pace_at, isStopped: row.stopped_at !== null };
}

/** Counts a call that starts. The caller has checked the limits. The next may start at `paceAt` (Unix ms); null leaves the pace. */
export const reserveCapacity = (tx: Tx, orgId: string, paceAt: number | null): Promise<void> =>
  store.addInFlight(tx, orgId, 1, paceAt);
export const releaseCapacity = (tx: Tx, orgId: string): Promise<void> => store.addInFlight(tx, orgId, -1);
export const setPace = (tx: Tx, orgId: string, paceAt: number): Promise<void> => store.setPaceAt(tx, orgId, paceAt);

/** An organization as the API shows it. */
export type Organization = {
  id: string;
  name: string;
  notificationEmails: string[];
  /** IANA name; the zone in which days and hours of figures are told. */
  timezone: string;
  /** The organization's own, which are stricter than the server's. */
  contactLimits: ContactLimits;
  guardHours: GuardHours | null;
  version: number;
  createdAt: number;
};

/** @throws notFound when there is no such organization */
export async function organizationOf(db: Queryable, orgId: string): Promise<Organization> {
  const row = await store.organizationById(db, orgId);
  if (!row) throw notFound('organization');
  return {
    id: row.id,
    name: row.name,
    notificationEmails: JSON.parse(row.notification_emails) as string[],
    timezone: row.timezone,
    contactLimits: limitsIn(row.contact_limits),
    guardHours: guardIn(row.guard_hours),
    version: row.version,
    createdAt: row.created_at,
  };
}

/** The rules for how often and when the organization's people may be called; null if there are none. */
export async function contactRulesOf(
  app: Pick<App, 'config'>,
  db: Queryable,
  orgId: string,
): Promise<ContactRules | null> {
  const row = await store.organizationById(db, orgId);
  if (!row) throw notFound('organization');
  return contactRules(app.config, row);
}

/** Limits are changed one by one; null clears one, or all of them. */
export type OrganizationChanges = Partial<
  Pick<Organization, 'name' | 'notificationEmails' | 'timezone' | 'guardHours'> & {
    contactLimits: Partial<ContactLimits> | null;
  }
>;

/**
 * Changes an organization. Fields left out of `changes` keep their value.
 * @throws notFound when there is no such organization; invalid when its rules would be looser than the server's
 */
export function updateOrganization(app: App, orgId: string, changes: OrganizationChanges): Promise<Organization> {
  return transact(app.db, orgId, async (tx) => {
    const before = await organizationOf(tx, orgId);
    const { contactLimits, ...others } = changes;
    const limits = contactLimits === null ? noLimits : { ...before.contactLimits, ...contactLimits };
    const organization: Organization = { ...before, ...others, contactLimits: limits };
    if (contactLimits !== undefined || changes.guardHours !== undefined) await changeRules(app, tx, organization);
    await store.updateOrganization(tx, orgId, {
      name: organization.name,
      notification_emails: JSON.stringify(organization.notificationEmails),
      timezone: organization.timezone,
    });
    return organization;
  });
}

async function changeRules(app: App, tx: Tx, { id, contactLimits, guardHours }: Organization): Promise<void> {
  const faults = looserThanServer(app.config, contactLimits, guardHours);
  if (faults.length > 0) throw invalid(faults);
  const hasLimits = Object.values(contactLimits).some((limit) => limit !== null);
  await store.updateOrganization(tx, id, {
    contact_limits: hasLimits ? JSON.stringify(contactLimits) : null,
    guard_hours: guardHours && JSON.stringify(guardHours),
  });
  await app.events.emit(app, tx, contactRulesChanged, { orgId: id });
}
