import type { App } from '../../kernel/app.ts';
import { id, integer, object, oneOf, type Static, Type } from '../../kernel/schema.ts';
import { signToken } from './tokens.ts';

export const tokenSchema = object({
  access_token: Type.String(),
  token_type: oneOf(['Bearer']),
  expires_in: integer({ description: 'Lifetime in seconds' }),
  org_id: id('organization'),
});

/** Creates an access token, as the API shows it. */
export async function tokenFor(app: App, claims: Parameters<typeof signToken>[1]): Promise<Static<typeof tokenSchema>> {
  const { token, expiresInSec } = await signToken(app, claims);
  return { access_token: token, token_type: 'Bearer', expires_in: expiresInSec, org_id: claims.orgId };
}
