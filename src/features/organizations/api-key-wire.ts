import { isoOf, isoOrNull } from '../../base/clock.ts';
import { roles } from '../../kernel/route.ts';
import { id, nullable, object, oneOf, type Static, timestamp, Type } from '../../kernel/schema.ts';
import type { ApiKeyRow, NewApiKey } from './service.ts';

const about = { id: id('API key'), name: Type.String(), role: oneOf(roles) };

export const newKeySchema = object(
  {
    ...about,
    api_key: Type.String({ description: 'The key itself. It is not shown again.' }),
    created_at: timestamp(),
  },
  { title: 'NewApiKey' },
);

export const presentNewKey = (key: NewApiKey): Static<typeof newKeySchema> => ({
  id: key.id,
  name: key.name,
  role: key.role,
  api_key: key.apiKey,
  created_at: isoOf(key.createdAt),
});

export const keySchema = object(
  {
    ...about,
    created_at: timestamp(),
    last_used_at: nullable(timestamp()),
    expires_at: nullable(timestamp('Set after a rotation: when this key stops working')),
  },
  { title: 'ApiKey' },
);

/** A key as `GET /api-keys` and `parley keys list` show it. */
export type ShownKey = Static<typeof keySchema>;

export const presentKey = (row: ApiKeyRow): ShownKey => ({
  id: row.id,
  name: row.name,
  role: row.role,
  created_at: isoOf(row.created_at),
  last_used_at: isoOrNull(row.last_used_at),
  expires_at: isoOrNull(row.expires_at),
});
