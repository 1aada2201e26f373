import type { Fault } from '../base/errors.ts';

/** A query in which one parameter may stand under any of several names. */
export type AliasQuery<N extends string> = { [name in N]?: string };

/** What is wrong with it: it must stand under one name at least, and under all of them alike. The first name is the preferred one. */
export function aliasFaults<N extends string>(names: readonly [N, ...N[]], query: AliasQuery<N>): Fault[] {
  const given = names.filter((name) => query[name] !== undefined);
  if (given.length === 0) return [{ path: names[0], message: 'is required' }];
  if (new Set(given.map((name) => query[name])).size === 1) return [];
  return given.map((path) => ({
    path,
    message: `differs from ${given.filter((name) => name !== path).join(' and ')}`,
  }));
}

/** Its value, under whichever name it was given. */
export const aliasValue = <N extends string>(names: readonly N[], query: AliasQuery<N>): string | undefined =>
  names.map((name) => query[name]).find((value) => value !== undefined);
