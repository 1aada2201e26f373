import { hash, randomBytes } from 'node:crypto';
import { dayMs } from '../../../base/clock.ts';
import { AppError } from '../../../base/errors.ts';
import type { Queryable, Tx } from '../../../db/transaction.ts';
import type { App } from '../../../kernel/app.ts';
import * as store from './link-store.ts';

/** How long the link of an organization without people works. */
const setupLinkMs = dayMs;
/** How long a person's link works. */
const personLinkMs = 3 * dayMs;

export type Link = store.LinkRow;

/** A new token of 256 random bits, so that its stored hash needs neither salt nor stretching. */
const makeToken = (): string => randomBytes(32).toString('base64url');
const hashOf = (token: string): string => hash('sha256', token);

/** Makes a link with which somebody becomes an admin of an organization. It replaces the one before. */
export const makeSetupLink = (app: App, tx: Tx, orgId: string): Promise<string> =>
  makeLink(app, tx, { organization_id: orgId, user_id: null }, setupLinkMs);

/** Makes a link with which a person sets a password. It replaces the one before. */
export const makePersonLink = (app: App, tx: Tx, person: { orgId: string; id: string }): Promise<string> =>
  makeLink(app, tx, { organization_id: person.orgId, user_id: person.id }, personLinkMs);

async function makeLink(
  app: App,
  tx: Tx,
  owner: Pick<Link, 'organization_id' | 'user_id'>,
  lifetimeMs: number,
): Promise<string> {
  const token = makeToken();
  await store.deleteLinksOf(tx, owner);
  await store.insertLink(tx, { ...owner, token_hash: hashOf(token), expires_at: app.clock.now() + lifetimeMs });
  return linkWith(app, token);
}

const linkWith = (app: App, token: string): string => `${app.baseUrl()}/setup?token=${token}`;

/**
 * The link with this token.
 * @throws unauthenticated, in the same words for an unknown, used, replaced or expired link
 */
export async function validLink(app: App, db: Queryable, token: string): Promise<Link> {
  const link = await store.linkByHash(db, hashOf(token));
  if (link && link.expires_at > app.clock.now()) return link;
  throw new AppError(
    'unauthenticated',
    'This link does not work any more: it was used, replaced by a newer one, or is too old. Ask an administrator for a new one, or ' +
      'make one on the server with: parley users setup-link, or parley users link EMAIL.',
    { headers: { 'WWW-Authenticate': 'Link' } },
  );
}

/**
 * A link that was made for a person, with the address of this server; undefined if the link does not work any more. The address is set only
 * here, because the command that made the link may not have known where the server would listen.
 */
export async function currentLink(app: App, made: string): Promise<string | undefined> {
  const token = /[?&]token=([^&]*)/.exec(made)?.[1] ?? '';
  const link = await store.linkByHash(app.db, hashOf(token));
  return link && link.expires_at > app.clock.now() ? linkWith(app, token) : undefined;
}

/** Ends the links of a person, or those with which somebody becomes an admin of an organization (`user_id` is null). */
export const endLinks = (tx: Tx, owner: Pick<Link, 'organization_id' | 'user_id'>): Promise<void> =>
  store.deleteLinksOf(tx, owner);
