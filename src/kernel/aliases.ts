import type { Fault } from '../base/errors.ts';

/** A query in which one parameter has several names. */
export type AliasQuery<N extends string> = { [name in N]?: string };

/** The parameter must be present under at least one name, and have the same value under each. `names[0]` is the documented name. */
export function aliasFaults<N extends string>(names: readonly [N, ...N[]], query: AliasQuery<N>): Fault[] {
  const present = names.filter((name) => query[name] !== undefined);
  if (present.length === 0) return [{ path: names[0], message: 'is required' }];
  if (new Set(present.map((name) => query[name])).size === 1) return [];
  return present.map((path) => ({
    path,
    message: `differs from ${present.filter((name) => name !== path).join(' and ')}`,
  }));
}

/** The parameter's value, under whichever name it was sent. */
export const aliasValue = <N extends string>(names: readonly N[], query: AliasQuery<N>): string | undefined =>
  names.map((name) => query[name]).find((value) => value !== undefined);
