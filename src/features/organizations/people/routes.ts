import { operation, roles } from '../../../kernel/route.ts';
import { boolean, email, id, list, object, oneOf, optional } from '../../../kernel/schema.ts';
import * as service from './service.ts';
import { presentUser, userSchema } from './wire.ts';

const tag = 'People';
const userPath = object({ id: id('user') });
const role = () => oneOf(roles);

export const listUsers = operation({
  operationId: 'listUsers',
  tag,
  summary: 'List the people of the organization, newest first',
  data: list(userSchema),
  message: 'People fetched.',
  handle: async (app, { caller }) => ({ data: (await service.listPeople(app.db, caller.orgId)).map(presentUser) }),
});

export const createUser = operation({
  operationId: 'createUser',
  tag,
  summary: 'Invite a person; the answer has the link with which they set a password',
  body: object({ email: email(), role: role() }),
  example: { email: 'grace@example.com', role: 'member' },
  data: userSchema,
  answersSecret: true,
  message: 'Person invited. Pass on the link: it is shown only now, works once, and for 72 hours.',
  errors: ['conflict'],
  handle: async (app, { caller, body }) => ({ data: presentUser(await service.invite(app, caller.orgId, body)) }),
});

export const updateUser = operation({
  operationId: 'updateUser',
  tag,
  summary: "Change a person's role, from their next request on, or whether they may log in",
  params: userPath,
  body: object({
    role: optional(role()),
    disabled: optional(
      boolean({ description: 'True ends their sessions, tokens and links at once; false lets them log in again' }),
    ),
  }),
  example: { role: 'admin' },
  data: userSchema,
  message: 'Person changed.',
  errors: ['conflict'],
  handle: async (app, { caller, params, body }) => ({
    data: presentUser(await service.updatePerson(app, caller.orgId, params.id, body)),
  }),
});

export const deleteUser = operation({
  operationId: 'deleteUser',
  tag,
  summary: 'Remove a person; their sessions and tokens end at once',
  params: userPath,
  message: 'Person removed.',
  errors: ['conflict'],
  async handle(app, { caller, params }) {
    await service.removePerson(app, caller.orgId, params.id);
    return {};
  },
});

export const createUserLink = operation({
  operationId: 'createUserLink',
  tag,
  summary: 'Make a new link with which a person sets a password; it replaces the one before',
  params: userPath,
  data: userSchema,
  answersSecret: true,
  message: 'Link made. Pass it on: it is shown only now, works once, and for 72 hours.',
  handle: async (app, { caller, params }) => ({
    data: presentUser(await service.renewLink(app, caller.orgId, params.id)),
  }),
});
