import { type RawNode, SqliteQueryCompiler } from 'kysely';
import { renderedFor } from '../dialect.ts';

/**
 * Writes parameters as `+?`, which has the same value but keeps SQLite from planning by it. After a plain `?` SQLite plans a prepared
 * statement again whenever the parameter was cleared, and better-sqlite3 clears all of them after every run. That costs 10 µs for
 * every query but a lookup by a whole unique key, and ten times as much for a join.
 */
export class StablePlanCompiler extends SqliteQueryCompiler {
  protected override getCurrentParameterPlaceholder(): string {
    return '+?';
  }

  protected override visitRaw(node: RawNode): void {
    super.visitRaw(renderedFor('sqlite', node));
  }
}
