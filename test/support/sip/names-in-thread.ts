import dns from 'node:dns/promises';
import { syncBuiltinESMExports } from 'node:module';

/** Runs first in the threads of a test that has a name server of its own (names.ts): it answers for all names that end in `.test`. */

const { port } = Object.fromEntries(new URL(import.meta.url).searchParams);

async function ask(kind: string, name: string): Promise<never> {
  const response = await fetch(`http://127.0.0.1:${port}/${kind}/${name}`);
  if (!response.ok) throw Object.assign(new Error(`${name} was not found`), { code: 'ENOTFOUND' });
  return (await response.json()) as never;
}

const { lookup, resolveSrv } = dns;
dns.resolveSrv = (name) => (name.endsWith('.test') ? ask('srv', name) : resolveSrv(name));
dns.lookup = ((name: string, options: object) =>
  name.endsWith('.test') ? ask('addresses', name) : lookup(name, options)) as typeof lookup;
syncBuiltinESMExports();
