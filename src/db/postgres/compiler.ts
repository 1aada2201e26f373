import { PostgresQueryCompiler, type PrimitiveValueListNode, type RawNode } from 'kysely';
import { renderedFor } from '../dialect.ts';

/** Writes queries in PostgreSQL's SQL. */
export class PostgresCompiler extends PostgresQueryCompiler {
  /** SQLite knows the empty list. */
  protected override visitPrimitiveValueList(node: PrimitiveValueListNode): void {
    if (node.values.length === 0) this.append('(SELECT NULL::text WHERE false)');
    else super.visitPrimitiveValueList(node);
  }

  protected override visitRaw(node: RawNode): void {
    super.visitRaw(renderedFor('postgres', node));
  }
}
