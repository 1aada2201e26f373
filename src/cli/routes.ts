import { allEndpoints, type Endpoint } from '../http/routes.ts';
import type { Command } from './command.ts';
import { readFlags } from './settings.ts';
import { tableOf } from './table.ts';

export const routes: Command = {
  name: 'routes',
  usage: '[--json]',
  summary: 'Print all endpoints: method, path, operation, required role, accepted credentials.',
  run(args) {
    const flags = readFlags(args, { json: { type: 'boolean' } });
    const rows = allEndpoints().map(rowOf);
    console.log(flags['json'] === true ? JSON.stringify(rows, null, 2) : table(rows));
    return Promise.resolve(0);
  },
};

const credentials = {
  public: 'none',
  any: 'key, token or session',
  bearer: 'token or session',
  session: 'session',
} as const;

/** A public operation has no role, because its callers are unknown. */
const rowOf = ({ method, path, operationId, role, access, verifySignature }: Endpoint) => ({
  method,
  path,
  operation: operationId,
  role: access === 'public' ? 'public' : role,
  access: verifySignature ? 'signature' : credentials[access],
});

const table = (rows: ReadonlyArray<ReturnType<typeof rowOf>>): string =>
  tableOf(
    ['METHOD', 'PATH', 'OPERATION', 'ROLE', 'ACCESS'],
    rows.map((row) => Object.values(row)),
  );
