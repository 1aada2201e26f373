import {
  type CompiledQuery,
  PostgresQueryCompiler,
  type PrimitiveValueListNode,
  type QueryId,
  type RawNode,
  type RootOperationNode,
} from 'kysely';
import { renderedFor } from '../dialect.ts';

/**
 * Looks up each value of listOf() in an index. IN would be a join, for which PostgreSQL reads the whole table where its statistics are older
 * than the rows.
 */
const withAny = (text: string): string =>
  text.replaceAll(/\bNOT IN (?=\(ARRAY\()/gi, '<> ALL ').replaceAll(/\bIN (?=\(ARRAY\()/gi, '= ANY ');

/** Writes queries in PostgreSQL's SQL. */
export class PostgresCompiler extends PostgresQueryCompiler {
  override compileQuery(node: RootOperationNode, queryId: QueryId): CompiledQuery {
    const query = super.compileQuery(node, queryId);
    return { ...query, sql: withAny(query.sql) };
  }

  /** SQLite knows the empty list. */
  protected override visitPrimitiveValueList(node: PrimitiveValueListNode): void {
    if (node.values.length === 0) this.append('(SELECT NULL::text WHERE false)');
    else super.visitPrimitiveValueList(node);
  }

  protected override visitRaw(node: RawNode): void {
    super.visitRaw(renderedFor('postgres', node));
  }
}
