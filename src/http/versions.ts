import type { Context } from 'koa';
import { isoOrNull } from '../base/clock.ts';
import { AppError, invalidAt } from '../base/errors.ts';
import type { Tx } from '../db/transaction.ts';
import { presentActor } from '../features/requests/actor-wire.ts';
import { changesBetween, changesSince, raiseVersion, type RecordedChanges } from '../features/requests/changes.ts';
import type { App } from '../kernel/app.ts';
import type { Caller, Route, Versioned, VersionedThing } from '../kernel/route.ts';
import { markWithoutTag } from './output/etag-and-compression.ts';

type Reply = Awaited<ReturnType<Route['handle']>>;
type Request = { caller: Caller; params: object };

/** Whether a request may send `If-Match`. */
export const takesVersion = ({
  versioned,
  method,
  takesVersion: isTaken = method !== 'POST',
}: Pick<Route, 'versioned' | 'method' | 'takesVersion'>): boolean =>
  versioned !== undefined && method !== 'GET' && isTaken;

/** The version that `If-Match` names; undefined without the header, and for `*`, which anything that exists fulfils. */
export function expectedVersion(ctx: Context, route: Route): number | undefined {
  const header = ctx.headers['if-match'];
  if (!takesVersion(route) || header === undefined || header.trim() === '*') return undefined;
  const version = /^\s*"(\d{1,15})"\s*$/.exec(header)?.[1];
  if (version === undefined) throw invalidAt('If-Match', 'must be a version in quotes, such as "3", or *');
  return Number(version);
}

/**
 * Runs an operation on a thing that two people may edit at once: compares versions, and finds what the operation changes. Call it in the
 * operation's transaction. A request based on an old version fails only after `handle` has run, because 400 and 404 come before 412; the
 * transaction is rolled back either way.
 * @throws precondition_failed when `expected` is not the version of the thing
 */
export async function withVersion(
  app: App,
  versioned: Versioned,
  { caller, params }: Request,
  expected: number | undefined,
  handle: () => Promise<Reply>,
): Promise<{ reply: Reply; changes: RecordedChanges | undefined }> {
  const find = (): Promise<VersionedThing | undefined> =>
    versioned.find(app, caller.orgId, params as Record<string, string>);
  const before = await find();
  const isStale = before !== undefined && expected !== undefined && expected !== before.version;
  const stale = isStale ? await staleError(app, before, expected) : undefined;
  const reply = await handle().catch((error: unknown) => {
    throw stale && error instanceof AppError && error.kind === 'conflict' ? stale : error;
  });
  if (stale) throw stale;
  const after = before && (await find());
  if (!after) return { reply, changes: undefined };
  const changes = changesBetween(before.settings, after.settings, versioned.secret);
  if (changes.length === 0) return { reply, changes: undefined };
  const isCounted = changes.some(({ field }) => !versioned.uncounted?.includes(field));
  const isRaised = after.version !== before.version;
  const version = !isCounted || isRaised ? after.version : await raiseVersion(app.db as Tx, versioned.table, after.id);
  return {
    reply: reply.data === undefined ? reply : { ...reply, data: { ...reply.data, version } },
    changes: { targetId: after.id, version: isCounted ? version : null, changes },
  };
}

async function staleError(app: App, { id, version }: VersionedThing, expected: number): Promise<AppError> {
  const { changedAt, changedBy, changes } = await changesSince(app, id, expected, version);
  return new AppError(
    'precondition_failed',
    `Nothing was changed: the request is based on version ${expected}, and the version is ${version} now.`,
    { data: { version, changed_at: isoOrNull(changedAt), changed_by: changedBy && presentActor(changedBy), changes } },
  );
}

/** Whether answers have the version of a thing as ETag. */
export const showsVersion = ({ versioned, data }: Pick<Route, 'versioned' | 'data'>): boolean =>
  versioned !== undefined && data !== undefined && 'version' in ((data as { properties?: object }).properties ?? {});

/** Gives the answer with a versioned thing its version as ETag; a list has none. */
export function setVersionTag(
  ctx: Context,
  { versioned }: Pick<Route, 'versioned'>,
  { data }: { data?: unknown },
): void {
  if (Array.isArray(data)) return markWithoutTag(ctx);
  const { version } = (data ?? {}) as { version?: unknown };
  if (versioned && typeof version === 'number') ctx.set('ETag', `"${version}"`);
}
