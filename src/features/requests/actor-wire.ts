import { nullable, object, oneOf, Type } from '../../kernel/schema.ts';
import type { Actor } from './audit.ts';

/** The wire shape of whoever did something, in the audit log and in the histories of features. */
export const actorSchema = () =>
  object({
    kind: oneOf(['api_key', 'token', 'session', 'operator', 'anonymous'], {
      description: "operator: a command on the server's machine; anonymous: a request without valid credentials",
    }),
    id: nullable(
      Type.String({ description: 'ID of the API key or user; for a token, of the key or user that created it' }),
    ),
    name: nullable(Type.String({ description: 'Name of the key or e-mail address of the user, as it was then' })),
  });

export const presentActor = ({ kind, id, name }: Actor) => ({ kind, id, name });
