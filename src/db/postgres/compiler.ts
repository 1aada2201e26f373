import { PostgresQueryCompiler, type RawNode } from 'kysely';
import { renderedFor } from '../dialect.ts';

/** Writes queries in PostgreSQL's SQL. */
export class PostgresCompiler extends PostgresQueryCompiler {
  protected override visitRaw(node: RawNode): void {
    super.visitRaw(renderedFor('postgres', node));
  }
}
