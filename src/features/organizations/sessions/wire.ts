import { isoOf } from '../../../base/clock.ts';
import type { App } from '../../../kernel/app.ts';
import { roles } from '../../../kernel/route.ts';
import { boolean, email, id, nullable, object, oneOf, type Static, timestamp, Type } from '../../../kernel/schema.ts';
import { organizationOf } from '../service.ts';
import { sessionCookie } from './cookie.ts';
import type { OpenedSession } from './service.ts';
import type { SessionRow } from './store.ts';

/** The session of the request, as `POST /session` and `GET /session` show it. */
export const sessionSchema = object(
  {
    id: id('session'),
    user: object({ id: id('user'), email: email(), role: oneOf(roles) }),
    organization: object({ id: id('organization'), name: Type.String() }),
    expires_at: timestamp('When the session ends if it is not used until then'),
  },
  { title: 'Session' },
);

export async function presentSession(
  app: App,
  { id: sessionId, person, expiresAt }: Pick<OpenedSession, 'id' | 'person' | 'expiresAt'>,
): Promise<Static<typeof sessionSchema>> {
  const { name } = await organizationOf(app.db, person.orgId);
  return {
    id: sessionId,
    user: { id: person.id, email: person.email, role: person.role },
    organization: { id: person.orgId, name },
    expires_at: isoOf(expiresAt),
  };
}

/** The answer to a log-in: the session, and its cookie. */
export const openedAnswer = async (app: App, session: OpenedSession) => ({
  data: await presentSession(app, session),
  headers: { 'Set-Cookie': sessionCookie(app, session.secret) },
});

/** One of a person's sessions, in the list of them. */
export const listedSessionSchema = object(
  {
    id: id('session'),
    created_at: timestamp(),
    last_used_at: timestamp(),
    ip: Type.String({ description: 'Address of the log-in' }),
    user_agent: nullable(Type.String({ description: 'Browser of the log-in' })),
    current: boolean({ description: 'Whether this is the session of the request' }),
  },
  { title: 'ListedSession' },
);

export const presentListedSession = (row: SessionRow, currentId: string | undefined) => ({
  id: row.id,
  created_at: isoOf(row.created_at),
  last_used_at: isoOf(row.last_used_at),
  ip: row.ip,
  user_agent: row.user_agent,
  current: row.id === currentId,
});
