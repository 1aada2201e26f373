import { hash } from 'node:crypto';
import Sqlite from 'better-sqlite3';

/** The three reads of the bare servers in bench/http.ts. Each is one prepared statement. */
export type BareContacts = {
  /** The organization of an API key, which the database knows by its hash. */
  organizationOf(key: unknown): string | undefined;
  get(organizationId: string, id: string): object | undefined;
  list(organizationId: string, limit: number): object;
};

type ContactRow = Record<string, unknown> & {
  metadata: string;
  do_not_call: number;
  created_at: number;
  updated_at: number;
};
type ListedRow = ContactRow & { total: number };

const columns =
  'id, first_name, last_name, email, phone, company, metadata, timezone, do_not_call, created_at, updated_at';

export function openContacts(file: string): BareContacts {
  const database = new Sqlite(file, { readonly: true });
  const key = database.prepare<[string], { organization_id: string }>(
    'SELECT organization_id FROM api_keys WHERE key_hash = ?',
  );
  const one = database.prepare<[string, string], ContactRow>(
    `SELECT ${columns} FROM contacts WHERE organization_id = ? AND id = ?`,
  );
  const page = database.prepare<[string, string, number], ListedRow>(
    `SELECT ${columns}, (SELECT count(*) FROM contacts WHERE organization_id = ?) AS total
     FROM contacts WHERE organization_id = ? ORDER BY id DESC LIMIT ?`,
  );
  return {
    organizationOf: (given) =>
      typeof given === 'string' ? key.get(hash('sha256', given))?.organization_id : undefined,
    get(organizationId, id) {
      const row = one.get(organizationId, id);
      return row && { success: true, message: 'Contact fetched.', data: present(row) };
    },
    list(organizationId, limit) {
      const rows = page.all(organizationId, organizationId, limit);
      return {
        success: true,
        message: 'Contacts fetched.',
        data: rows.map(present),
        meta: { total: rows[0]?.total ?? 0, limit, offset: 0 },
      };
    },
  };
}

const present = (row: ContactRow) => ({
  id: row['id'],
  first_name: row['first_name'],
  last_name: row['last_name'],
  email: row['email'],
  phone: row['phone'],
  company: row['company'],
  metadata: JSON.parse(row.metadata) as unknown,
  timezone: row['timezone'],
  do_not_call: row.do_not_call === 1,
  created_at: new Date(row.created_at).toISOString(),
  updated_at: new Date(row.updated_at).toISOString(),
});
