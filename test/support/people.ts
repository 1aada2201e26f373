import { installation, transact } from '../../src/db/transaction.ts';
import { createUser, passwordHashOf } from '../../src/features/organizations/people/service.ts';
import type { Role } from '../../src/kernel/route.ts';
import type { Client, TestServer } from './server.ts';

export const aPassword = 'correct horse battery staple';

/** The hash of the password that all people of the tests have. Computed once, because hashing takes tens of milliseconds. */
let passwordHash: Promise<string> | undefined;
let made = 0;

export type Person = { id: string; email: string; credentials: { email: string; password: string } };

/** Creates a person who can log in to the client's organization, or to the server's own. */
export async function aPerson(server: TestServer, role: Role = 'viewer', client: Client = server): Promise<Person> {
  const email = `person-${made++}@example.com`;
  const { app } = server.running;
  const hash = await (passwordHash ??= passwordHashOf(aPassword));
  const user = await transact(app.db, installation, (tx) =>
    createUser(app, tx, client.orgId, { email, role, passwordHash: hash }),
  );
  return { id: user.id, email, credentials: { email, password: aPassword } };
}
