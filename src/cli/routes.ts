import { allEndpoints, type Endpoint } from '../http/routes.ts';
import type { Command } from './command.ts';
import { readFlags } from './settings.ts';

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

const credentials = { public: 'none', any: 'key or token', bearer: 'token' } as const;

/** A public operation has no role, because its callers are unknown. */
const rowOf = ({ method, path, operationId, role, access, verifySignature }: Endpoint) => ({
  method,
  path,
  operation: operationId,
  role: access === 'public' ? 'public' : role,
  access: verifySignature ? 'signature' : credentials[access],
});

function table(rows: ReadonlyArray<ReturnType<typeof rowOf>>): string {
  const lines = [['METHOD', 'PATH', 'OPERATION', 'ROLE', 'ACCESS'], ...rows.map((row) => Object.values(row))];
  const widths = lines[0]!.map((_, column) => Math.max(...lines.map((line) => line[column]!.length)));
  return lines
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column]!))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
