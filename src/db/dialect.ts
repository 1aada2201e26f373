import type { DialectAdapter } from 'kysely';
import type { Queryable } from './transaction.ts';

/** The databases that parley runs on. */
export type DialectName = 'sqlite' | 'postgres';

/** Each dialect's adapter says which one it is: a database and its transactions share the adapter. */
export type NamedAdapter = DialectAdapter & { readonly dialect: DialectName };

/** The dialect of a database or of an open transaction. Takes some nanoseconds: every prepared query asks. */
export const dialectOf = (db: Queryable): DialectName => (db.getExecutor().adapter as NamedAdapter).dialect;
