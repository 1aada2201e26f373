import { dayMs } from '../../base/clock.ts';
import { onCommit, transact, type Tx } from '../../db/transaction.ts';
import type { App } from '../../kernel/app.ts';
import { nodeState } from '../../kernel/node.ts';
import { insertEvent, type NewEvent } from './delivery-store.ts';
import * as store from './followed-store.ts';

/*
 * Those who follow an organization's events as they come, beside its webhooks. Events of agents without a URL are written too while
 * somebody follows, and for a day after, so that a follower who was away misses none.
 */

/** How long a follower may be away and still continue behind the last event. */
export const followedMs = dayMs;
/** How old `events_followed_at` may grow while somebody follows. */
const renewAfterMs = 3_600_000;

const followersOf = nodeState('eventFollowers', () => new Map<string, Set<() => void>>());

/** Calls `wake` when events of the organization are on disk, until the returned function is called. */
export async function follow(app: App, orgId: string, wake: () => void): Promise<() => void> {
  const followers = followersOf(app);
  const own = followers.get(orgId) ?? new Set();
  followers.set(orgId, own.add(wake));
  const leave = (): void => {
    own.delete(wake);
    if (own.size === 0 && followers.get(orgId) === own) followers.delete(orgId);
  };
  try {
    await transact(app.db, orgId, (tx) => isFollowed(app, tx, orgId));
    return leave;
  } catch (error) {
    leave();
    throw error;
  }
}

/** Whether somebody follows the organization's events, or did so in the last day. */
export async function isFollowed(app: App, tx: Tx, orgId: string): Promise<boolean> {
  const at = await store.followedAt(tx, orgId);
  const now = app.clock.now();
  if (!followersOf(app).has(orgId)) return at !== null && at > now - followedMs;
  if (at === null || at < now - renewAfterMs) await store.setFollowedAt(tx, orgId, now);
  return true;
}

/** Writes an event, and wakes the followers when it is on disk. */
export async function writeEvent(app: App, tx: Tx, event: NewEvent): Promise<void> {
  await insertEvent(tx, event);
  onCommit(tx, () => {
    for (const wake of followersOf(app).get(event.orgId) ?? []) wake();
  });
}

/**
 * Where a follower begins: behind an event of the last day or, without one, behind the newest. Undefined if there is no such event any
 * more.
 */
export const beginningOf = (app: App, orgId: string, after: string | undefined): Promise<number | undefined> =>
  after === undefined
    ? store.newestNumber(app.db, orgId)
    : store.numberOf(app.db, orgId, { id: after, since: app.clock.now() - followedMs });

export { eventsBehind, type FollowedEvent } from './followed-store.ts';
