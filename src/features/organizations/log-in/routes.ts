import { operation } from '../../../kernel/route.ts';
import { object, text } from '../../../kernel/schema.ts';
import { tokenFor, tokenSchema } from '../token-wire.ts';
import { isLogInFromKnownAddress, logIn as logInPerson } from './log-in.ts';
import { maxPasswordLength } from './password.ts';

/** The body of every way to log in. */
export const credentials = object({ email: text(254, 1), password: text(maxPasswordLength, 1) });
export const credentialsExample = { email: 'ada@example.com', password: 'correct horse battery staple' };

export const logIn = operation({
  operationId: 'logIn',
  tag: 'Organization',
  summary: 'Log in with e-mail and password to get an access token',
  body: credentials,
  example: credentialsExample,
  data: tokenSchema,
  message: 'Logged in.',
  isExemptFromRateLimit: isLogInFromKnownAddress,
  errors: ['unauthenticated'],
  async handle(app, { body, requestId, ip }) {
    const { id: subject, orgId, role } = await logInPerson(app, body, { requestId, ip });
    return { data: await tokenFor(app, { identity: 'user', subject, orgId, role }) };
  },
});
