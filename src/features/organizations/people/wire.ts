import { isoOf, isoOrNull } from '../../../base/clock.ts';
import { roles } from '../../../kernel/route.ts';
import { boolean, email, id, nullable, object, oneOf, type Static, timestamp, Type } from '../../../kernel/schema.ts';
import type { LinkedUser, User } from './service.ts';

export const userSchema = object(
  {
    id: id('user'),
    email: email(),
    role: oneOf(roles),
    created_at: timestamp(),
    last_login_at: nullable(timestamp()),
    status: oneOf(['active', 'invited'], { description: 'Invited: has not set a password yet' }),
    disabled: boolean({ description: 'May not log in; their sessions and tokens have ended' }),
    link: nullable(
      Type.String({ description: 'Link with which the person sets a password; only in the answer that makes it' }),
    ),
  },
  { title: 'User' },
);

/** A person as `GET /users` and `parley users list` show them. */
export type ShownUser = Static<typeof userSchema>;

export const presentUser = (user: User | LinkedUser): ShownUser => ({
  id: user.id,
  email: user.email,
  role: user.role,
  created_at: isoOf(user.createdAt),
  last_login_at: isoOrNull(user.lastLoginAt),
  status: user.status,
  disabled: user.isDisabled,
  link: 'link' in user ? user.link : null,
});
