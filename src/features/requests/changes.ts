import { hash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { dayMs } from '../../base/clock.ts';
import { JsonObject, parseExactly, stringify } from '../../base/json.ts';
import type { Queryable, Tx } from '../../db/transaction.ts';
import type { App } from '../../kernel/app.ts';
import type { Actor } from './actor.ts';
import * as store from './changes-store.ts';

export { raiseVersion } from './changes-store.ts';

/** A field, as a path in the answer's case such as `schedule.windowEnd`, and its values. */
export type Change = { field: string; before: unknown; after: unknown };

/** What a request changed in one thing. `version` is the one it made; null if it changed only what versions do not count. */
export type RecordedChanges = { targetId: string; version: number | null; changes: readonly Change[] };

/** The fields that differ between two states of the same thing. A field of an object that one state lacks is null there. */
export function changesBetween(before: object, after: object, secret: readonly string[] = []): Change[] {
  const [old, current] = [fieldsOf(before), fieldsOf(after)];
  const changes = [...new Set([...current.keys(), ...old.keys()])].map((field): Change => {
    return { field, before: old.get(field) ?? null, after: current.get(field) ?? null };
  });
  const changed = changes.filter((change) => textOf(change.before) !== textOf(change.after));
  return changed.map(({ field, ...values }) => {
    const shown = secret.includes(field) ? withoutSecret : shortened;
    return { field, before: shown(values.before), after: shown(values.after) };
  });
}

const isPlainObject = (value: unknown): value is object =>
  value !== null && typeof value === 'object' && !Array.isArray(value) && !(value instanceof JsonObject);

/** The fields of an object, and those of the objects in it, by their paths. */
const fieldsOf = (value: object, prefix = ''): Map<string, unknown> =>
  new Map(
    Object.entries(value).flatMap(([name, field]): Array<[string, unknown]> =>
      isPlainObject(field) ? [...fieldsOf(field, `${prefix}${name}.`)] : [[prefix + name, field]],
    ),
  );

const textOf = (value: unknown): string => stringify({ value });

const withoutSecret = (value: unknown): unknown => (value === null ? null : { secret: true });

/** A larger value is recorded as its length and hash: a prompt of 64 KiB, edited daily, would fill the log. */
const maxValueBytes = 4096;

function shortened(value: unknown): unknown {
  const text = typeof value === 'string' ? value : stringify(value ?? null);
  if (Buffer.byteLength(text) <= maxValueBytes) return value;
  return { length: text.length, sha256: hash('sha256', text) };
}

/** What an entry holds of a thing's values. `targetName` is set for contacts, whose names are deleted with them. */
export type EntryDetails = { changes: Change[] | null; targetName: string | null };

type NewDetails = Omit<RecordedChanges, 'changes'> & {
  changes: RecordedChanges['changes'] | null;
  targetName: string | null;
};

export const insertChanges = (db: Queryable, auditId: string, details: NewDetails) =>
  store.insertChangesRow(db, {
    audit_id: auditId,
    target_id: details.targetId,
    version: details.version,
    target_name: details.targetName,
    changes: details.changes && stringify(details.changes),
  });

/** A contact that an import changed, and the version that it made. */
export type ImportedChanges = { contactId: string; version: number; changes: readonly Change[] };

/** Records what an import changed in contacts that existed before. */
export async function recordImportedChanges(
  app: App,
  tx: Tx,
  { actor, operation }: { actor: Actor; operation: string },
  changed: readonly ImportedChanges[],
): Promise<void> {
  if (changed.length === 0) return;
  const common = { at: app.clock.now(), actor_kind: actor.kind, actor_id: actor.id, actor_name: actor.name, operation };
  await store.insertImportedRows(
    tx,
    changed.map(({ contactId, version, changes }) => {
      return { ...common, contact_id: contactId, version, changes: stringify(changes) };
    }),
  );
}

/** What audit entries hold of values, by the entry's id. */
export async function changesOfEntries(db: Queryable, auditIds: readonly string[]): Promise<Map<string, EntryDetails>> {
  const rows = await store.changesRows(db, auditIds);
  return new Map(
    rows.map(({ audit_id: id, changes, target_name: targetName }) => [
      id,
      { changes: changes === null ? null : (parseExactly(changes) as Change[]), targetName },
    ]),
  );
}

/** Deletes what is recorded of a thing's values, which are personal data. */
export const forgetChanges = (tx: Tx, targetId: string): Promise<void> => store.deleteChanges(tx, targetId);

/** What happened to a thing since a version. Null: not known. */
export type Since = { changedAt: number | null; changedBy: Actor | null; changes: Change[] | null };

const maxVersions = 50;
const maxAgeMs = 30 * dayMs;

/**
 * What changed in a thing from one version to a later one. `changes` is null if that is too long ago, or if a change in between was neither
 * a request about this thing nor an import, such as the deletion of something that it refers to.
 */
export async function changesSince(app: App, targetId: string, from: number, to: number): Promise<Since> {
  const rows = await store.changesAfter(app.db, targetId, from, maxVersions + 1);
  const last = rows.at(-1);
  const isLatest = last?.version === to;
  const since = {
    changedAt: isLatest ? last.at : null,
    changedBy: isLatest ? ({ kind: last.actor_kind, id: last.actor_id, name: last.actor_name } as Actor) : null,
  };
  const isRecent = rows.every(({ at }) => at >= app.clock.now() - maxAgeMs);
  const isWhole = from < to && rows.length === to - from && rows.length <= maxVersions;
  return {
    ...since,
    changes: isWhole && isRecent ? merged(rows.map((row) => parseExactly(row.changes) as Change[])) : null,
  };
}

/** Several changes one after another as one; a field that has its first value again did not change. */
function merged(steps: readonly Change[][]): Change[] {
  const byField = new Map<string, Change>();
  for (const change of steps.flat()) {
    byField.set(change.field, { ...change, before: (byField.get(change.field) ?? change).before });
  }
  return [...byField.values()].filter(({ before, after }) => !isDeepStrictEqual(before, after));
}
