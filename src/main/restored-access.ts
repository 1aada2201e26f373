import { existsSync } from 'node:fs';
import { peek } from '../db/sqlite/peek.ts';

/**
 * Everything of one kind that grants access, such as API keys. The key identifies it by id, secret, role and name; the value describes it
 * for the operator.
 */
type Access = ReadonlyMap<string, string>;

const queries = {
  'API keys': `SELECT id, name || ' (' || role || ', organization ' || organization_id || ')' AS description, key_hash AS secret,
    expires_at AS until FROM api_keys`,
  people: `SELECT id, email || ' (' || role || ', organization ' || organization_id || ')' AS description, password_hash AS secret,
    NULL AS until FROM users WHERE password_hash IS NOT NULL AND disabled_at IS NULL`,
  'calendar accounts': `SELECT id, account_name || ' (organization ' || organization_id || ')' AS description, key_digest AS secret,
    NULL AS until FROM calendar_accounts WHERE status = 'active'`,
} as const;

export type AccessKind = keyof typeof queries;
export type RestoredAccess = Record<AccessKind, string[]>;

/** The access of a kind that was valid at a time in a database file. Throws on a file that is no such database. */
function accessIn(file: string, kind: AccessKind, nowMs: number): Access {
  type Row = { id: string; description: string; secret: string; until: number | null };
  const rows = peek<Row>(file, queries[kind]).filter(({ until }) => until === null || until > nowMs);
  // A changed role or password is a different access: the restored one is valid again.
  return new Map(rows.map((row) => [`${row.id} ${row.secret} ${row.description}`, `${row.description}, id ${row.id}`]));
}

/**
 * The access that the database `restored` grants and the database `before` did not: revoked keys, removed people, disconnected calendars.
 * All access in `restored`, if there was no database before or it cannot be read.
 */
export function restoredAccess(restored: string, before: string | null, nowMs: number): RestoredAccess {
  const again = (kind: AccessKind): string[] => {
    const known = accessBefore(before, kind, nowMs);
    return [...accessIn(restored, kind, nowMs)]
      .filter(([key]) => !known.has(key))
      .map(([, description]) => description);
  };
  return { 'API keys': again('API keys'), people: again('people'), 'calendar accounts': again('calendar accounts') };
}

function accessBefore(file: string | null, kind: AccessKind, nowMs: number): Access {
  if (file === null || !existsSync(file)) return new Map();
  try {
    return accessIn(file, kind, nowMs);
  } catch {
    return new Map(); // Damaged, or so old that it lacks the table.
  }
}
