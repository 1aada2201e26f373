import { type DialectAdapter, type RawBuilder, RawNode, sql } from 'kysely';
import type { Queryable } from './transaction.ts';

/** The databases that parley runs on. */
export type DialectName = 'sqlite' | 'postgres';

/** Each dialect's adapter says which one it is: a database and its transactions share the adapter. */
export type NamedAdapter = DialectAdapter & { readonly dialect: DialectName };

/** The dialect of a database or of an open transaction. Takes some nanoseconds: every prepared query asks. */
export const dialectOf = (db: Queryable): DialectName => (db.getExecutor().adapter as NamedAdapter).dialect;

/**
 * For how many ticks of the event loop small pieces of work are gathered that go to the database together. Over the network a round trip
 * costs more than a wait of some ticks, in which more jobs start and end.
 */
export const gatheringTicks = (db: Queryable): number => (dialectOf(db) === 'sqlite' ? 1 : 4);

type Renderings<T> = Readonly<Record<DialectName, () => RawBuilder<T>>>;
type LateNode = RawNode & { readonly renderings: Renderings<unknown> };

/** A fragment of SQL that each dialect writes differently. It is rendered when the query is compiled, because only then the dialect is known. */
export function perDialect<T>(renderings: Renderings<T>): RawBuilder<T> {
  const node: LateNode = { ...RawNode.createWithSql(''), renderings };
  return sql<T>`${{ toOperationNode: () => node }}`;
}

const isLate = (node: RawNode): node is LateNode => 'renderings' in node;

/** Called by the dialects' query compilers with each raw node. Returns the node to write in its place. */
export const renderedFor = (dialect: DialectName, node: RawNode): RawNode =>
  isLate(node) ? node.renderings[dialect]().toOperationNode() : node;
