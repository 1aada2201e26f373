import assert from 'node:assert/strict';
import type { Role } from '../../src/kernel/route.ts';
import { aPerson, type Person } from './people.ts';
import type { Answer, Client, RequestOptions, TestServer } from './server.ts';

export type SessionData = {
  id: string;
  user: { id: string; email: string; role: Role };
  organization: { id: string; name: string };
  expires_at: string;
};

/** Headers that a browser sends from a page of the server itself. */
export const ownPage = { 'sec-fetch-site': 'same-origin' } as const;

/** A browser with a session. `page`: a request of the server's own page. */
export type Browser = { id: string; cookie: string; page: RequestOptions };

/** The cookie of an answer as a browser sends it back: `name=value`. */
export function cookieOf(answer: Answer<unknown>): string {
  const [cookie, ...others] = answer.headers.getSetCookie();
  assert.ok(cookie, `no cookie: ${answer.text}`);
  assert.deepEqual(others, []);
  return cookie.split(';')[0]!;
}

export const browserWith = (answer: Answer<SessionData>): Browser => {
  assert.equal(answer.status, 200, answer.text);
  const cookie = cookieOf(answer);
  return { id: answer.body.data.id, cookie, page: withCookie(cookie) };
};

export const withCookie = (cookie: string): RequestOptions => ({ key: null, headers: { cookie, ...ownPage } });

export const logIn = (
  server: Client,
  credentials: { email: string; password: string },
  headers: Readonly<Record<string, string>> = ownPage,
): Promise<Answer<SessionData>> => server.post<SessionData>('/session', credentials, { key: null, headers });

/** A new person who is logged in. */
export async function aSession(
  server: TestServer,
  role: Role = 'viewer',
  client: Client = server,
): Promise<Browser & { person: Person }> {
  const person = await aPerson(server, role, client);
  return { ...browserWith(await logIn(server, person.credentials)), person };
}
