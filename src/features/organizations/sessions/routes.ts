import { transact } from '../../../db/transaction.ts';
import type { App } from '../../../kernel/app.ts';
import { type Caller, operation, roles } from '../../../kernel/route.ts';
import { email, id, label, list, nullable, object, oneOf, optional, text, Type } from '../../../kernel/schema.ts';
import { changePassword as changeOwnPassword, isLogInFromKnownAddress, logInWithSession } from '../log-in/log-in.ts';
import { maxPasswordLength, minPasswordLength } from '../log-in/password.ts';
import { credentials, credentialsExample } from '../log-in/routes.ts';
import { invitationOf, setUp as useLink } from '../people/set-up.ts';
import { expiredCookie } from './cookie.ts';
import * as service from './service.ts';
import { listedSessionSchema, openedAnswer, presentListedSession, presentSession, sessionSchema } from './wire.ts';

const tag = 'Sessions';
const newPassword = () => text(maxPasswordLength, minPasswordLength);

export const setUp = operation({
  operationId: 'setUp',
  tag,
  summary: 'Use a set-up link or an invitation: set a password and log in',
  body: object({
    token: text(200, 1),
    email: email(),
    password: newPassword(),
    organization_name: optional(label()),
  }),
  example: { token: 'xK3v…', ...credentialsExample, organization_name: 'Example Ltd' },
  data: sessionSchema,
  session: 'opens',
  message: 'Set up. You are logged in.',
  errors: ['unauthenticated', 'conflict'],
  async handle(app, { body, requestId, ip, userAgent }) {
    const { organization_name: organizationName, ...input } = body;
    const named = organizationName === undefined ? {} : { organizationName };
    return openedAnswer(app, await useLink(app, { ...input, ...named }, { requestId, ip, userAgent }));
  },
});

export const readInvitation = operation({
  operationId: 'readInvitation',
  tag,
  summary: 'Read what a set-up link or an invitation is for, without using it',
  body: object({ token: text(200, 1) }),
  example: { token: 'xK3v…' },
  data: object(
    {
      organization: object({ id: id('organization'), name: Type.String() }),
      email: nullable(Type.String({ description: 'Of the person who was invited; null for a set-up link' })),
      role: oneOf(roles),
    },
    { title: 'Invitation' },
  ),
  readOnly: true,
  message: 'Invitation fetched.',
  errors: ['unauthenticated'],
  handle: async (app, { body }) => ({ data: await invitationOf(app, body.token) }),
});

export const createSession = operation({
  operationId: 'createSession',
  tag,
  summary: 'Log in with e-mail and password to get a session cookie',
  body: credentials,
  example: credentialsExample,
  data: sessionSchema,
  session: 'opens',
  message: 'Logged in.',
  isExemptFromRateLimit: isLogInFromKnownAddress,
  errors: ['unauthenticated'],
  handle: async (app, { caller, body, requestId, ip, userAgent }) =>
    openedAnswer(app, await logInWithSession(app, body, { requestId, ip, userAgent }, caller)),
});

export const getSession = operation({
  operationId: 'getSession',
  tag,
  summary: 'Get the session of the request; `data` is null without one',
  data: nullable(sessionSchema),
  session: 'reads',
  message: 'Session fetched.',
  handle: async (app, { caller }) => ({ data: await currentSession(app, caller) }),
});

async function currentSession(app: App, { sessionId, subject, orgId, role, name }: Caller) {
  if (sessionId === undefined) return null;
  const expiresAt = await service.sessionEnd(app, { id: sessionId, userId: subject });
  if (expiresAt === undefined) return null;
  return presentSession(app, { id: sessionId, person: { id: subject, orgId, email: name ?? '', role }, expiresAt });
}

/** Ends a session of the caller; ending the current one also removes its cookie. */
async function end(app: App, caller: Caller, sessionId: string) {
  const { orgId, subject: userId } = caller;
  await transact(app.db, orgId, (tx) => service.endSession(app, tx, { id: sessionId, userId }));
  return sessionId === caller.sessionId ? { headers: { 'Set-Cookie': expiredCookie(app) } } : {};
}

export const deleteSession = operation({
  operationId: 'deleteSession',
  tag,
  summary: 'Log out: end the session of the request at once, for every copy of its cookie',
  message: 'Logged out.',
  handle: (app, { caller }) => end(app, caller, caller.sessionId!),
});

export const listSessions = operation({
  operationId: 'listSessions',
  tag,
  summary: 'List your own sessions, newest first',
  data: list(listedSessionSchema),
  message: 'Sessions fetched.',
  async handle(app, { caller }) {
    const rows = await service.listSessions(app, caller.subject);
    return { data: rows.map((row) => presentListedSession(row, caller.sessionId)) };
  },
});

export const endSession = operation({
  operationId: 'endSession',
  tag,
  summary: 'End one of your own sessions at once',
  params: object({ id: id('session') }),
  message: 'Session ended.',
  handle: (app, { caller, params }) => end(app, caller, params.id),
});

export const changePassword = operation({
  operationId: 'changePassword',
  tag,
  summary: 'Set a new password and end your other sessions',
  body: object({ current_password: text(maxPasswordLength, 1), new_password: newPassword() }),
  example: { current_password: 'correct horse battery staple', new_password: 'a completely different phrase' },
  ownTransactions: true,
  message: 'Password changed. Your other sessions have ended.',
  async handle(app, { caller, body, requestId, ip }) {
    const input = { currentPassword: body.current_password, newPassword: body.new_password };
    await changeOwnPassword(app, caller, input, { requestId, ip });
    return {};
  },
});
