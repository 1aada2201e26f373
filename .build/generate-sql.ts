/**
 * Writes the modules that are made from `sql/`: the migrations themselves, because the single executable cannot read files next to its
 * code, the types of the rows in the migrated database, and the triggers that count. From all of it the schema for PostgreSQL is made.
 *
 *   node .build/generate-sql.ts [--check]
 *
 * `--check` writes nothing and exits with 1 when a module is out of date.
 */
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { counters } from '../sql/counters.ts';
import { countersModule, recountsModule, triggersByRow } from './counting-triggers.ts';
import { formatted, literal, readText, writeModule } from './generated-module.ts';
import { hashOf, type Migration, readMigrations } from './migrations.ts';
import { countable, postgresSchema } from './postgres-schema.ts';
import { rowTypesModule } from './row-types.ts';
import { statementTriggers } from './statement-triggers.ts';

function migrationsModule(migrations: readonly Migration[], folder: string): string {
  const entries = migrations.map(
    ({ id, name, sql, sha256 }) =>
      `  {\n    id: ${id},\n    name: '${name}',\n    sha256: '${sha256}',\n    sql: ${literal(sql)},\n  },\n`,
  );
  return `// Written by .build/generate-sql.ts from ${folder}; change those files and run \`npm run generate\`.
export type Migration = { id: number; name: string; sql: string; sha256: string };

export const migrations: readonly Migration[] = [
${entries.join('')}];
`;
}

const root = resolve(import.meta.dirname, '..');
const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } });

function write(file: string, text: string, source = 'sql/sqlite'): void {
  const path = join(root, file);
  writeModule(path, formatted(text, path), { source, check: values.check });
}

const migrations = readMigrations(join(root, 'sql/sqlite'));
write('src/db/sqlite/migrations.generated.ts', migrationsModule(migrations, 'sql/sqlite'));
write('src/db/schema.generated.ts', rowTypesModule(migrations));
write('src/db/sqlite/counters.generated.ts', countersModule(counters), 'sql/counters.ts');
write('src/db/postgres/recounts.generated.ts', recountsModule(counters, countable), 'sql/counters.ts');
const beside = readText(join(root, 'sql/postgres/beside.sql'));
const postgres = `${postgresSchema(migrations, triggersByRow(counters))}\n${statementTriggers(counters)}\n${beside}`;
writeModule(join(root, 'sql/postgres/0001_baseline.sql'), postgres, { source: 'sql/sqlite', check: values.check });
const postgresMigration = { ...migrations[0]!, sql: postgres, sha256: hashOf(postgres) };
write('src/db/postgres/migrations.generated.ts', migrationsModule([postgresMigration], 'sql/postgres'));
