import type { AddressInfo } from 'node:net';
import Router from '@koa/router';
import Sqlite from 'better-sqlite3';
import Koa from 'koa';
import { serveParent } from './child.ts';

/** The baseline: Koa, @koa/router and one prepared statement per answer return the same JSON, without keys, request ids, checks or log. */
const [file = '', organizationId = ''] = process.argv.slice(2);
const database = new Sqlite(file, { readonly: true });
const columns =
  'id, first_name, last_name, email, phone, company, metadata, timezone, do_not_call, created_at, updated_at';

type ContactRow = Record<string, unknown> & {
  metadata: string;
  do_not_call: number;
  created_at: number;
  updated_at: number;
};
type ListedRow = ContactRow & { total: number };

const one = database.prepare<[string, string], ContactRow>(
  `SELECT ${columns} FROM contacts WHERE organization_id = ? AND id = ?`,
);
const page = database.prepare<[string, string, number], ListedRow>(
  `SELECT ${columns}, (SELECT count(*) FROM contacts WHERE organization_id = ?) AS total
   FROM contacts WHERE organization_id = ? ORDER BY id DESC LIMIT ?`,
);

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

const router = new Router();
router.get('/api/v1/contacts', (ctx) => {
  const limit = Number(ctx.query['limit']);
  const rows = page.all(organizationId, organizationId, limit);
  ctx.body = {
    success: true,
    message: 'Contacts fetched.',
    data: rows.map(present),
    meta: { total: rows[0]?.total ?? 0, limit, offset: 0 },
  };
});
router.get('/api/v1/contacts/:id', (ctx) => {
  const row = one.get(organizationId, String(ctx.params['id']));
  if (row) ctx.body = { success: true, message: 'Contact fetched.', data: present(row) };
});

const koa = new Koa();
koa.use(router.routes());
const server = koa.listen(0, '127.0.0.1', () => {
  serveParent({ port: (server.address() as AddressInfo).port }, () => {
    const { user, system } = process.cpuUsage();
    return { cpuUs: user + system };
  });
});
