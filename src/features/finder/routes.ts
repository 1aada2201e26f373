import { operation } from '../../kernel/route.ts';
import { list, nullable, object, oneOf, Type } from '../../kernel/schema.ts';
import { find, foundKinds } from './find.ts';

export const search = operation({
  operationId: 'search',
  tag: 'Search',
  summary:
    'Find things of all kinds by their names, phone numbers, e-mail addresses or ids: up to five of each kind, newest first',
  query: object({
    q: Type.String({
      maxLength: 200,
      description:
        'Part of a name, phone number or e-mail address, or an id. Of calls, the newest 10,000 are looked through',
    }),
  }),
  data: list(
    object(
      {
        kind: oneOf(foundKinds),
        id: Type.String({ format: 'uuid' }),
        title: Type.String({
          description: 'The name or, for things without one, what people know them by, such as a phone number',
        }),
        subtitle: nullable(Type.String({ description: 'Further facts, to tell things with the same title apart' })),
      },
      { title: 'Found' },
    ),
  ),
  message: 'Search done.',
  handle: async (app, { caller, query }) => ({ data: await find(app, caller.orgId, query.q) }),
});
