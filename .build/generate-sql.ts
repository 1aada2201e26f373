/**
 * Embeds the SQL migrations in a module, because the single executable cannot read files next to its code.
 *
 *   node .build/generate-sql.ts [--check] [--from sql/sqlite] [--to src/db/sqlite/migrations.generated.ts]
 *
 * `--check` writes nothing and exits with 1 when the module is out of date.
 */
import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { literal, readText, writeModule } from './generated-module.ts';

type Migration = { id: number; name: string; sql: string; sha256: string };

const root = resolve(import.meta.dirname, '..');
const fileName = /^(?<id>\d{4})_(?<name>[a-z0-9_]+)\.sql$/;

function readMigrations(directory: string): Migration[] {
  const files = readdirSync(directory)
    .filter((file) => file.endsWith('.sql'))
    .toSorted();
  if (files.length === 0) throw new Error(`${directory} holds no .sql files`);
  return files.map((file, index) => {
    const { id, name } = fileName.exec(file)?.groups ?? {};
    if (id === undefined || name === undefined) throw new Error(`${file}: name it like 0001_what_it_brings.sql`);
    if (Number(id) !== index + 1) throw new Error(`${file}: migrations are numbered 0001, 0002, … without gaps`);
    const sql = readText(join(directory, file));
    return { id: Number(id), name, sql, sha256: createHash('sha256').update(sql).digest('hex') };
  });
}

function moduleOf(migrations: readonly Migration[]): string {
  const entries = migrations.map(
    ({ id, name, sql, sha256 }) =>
      `  {\n    id: ${id},\n    name: '${name}',\n    sha256: '${sha256}',\n    sql: ${literal(sql)},\n  },\n`,
  );
  return `// Written by .build/generate-sql.ts from sql/sqlite; change those files and run \`npm run generate\`.
export const migrations: readonly { id: number; name: string; sql: string; sha256: string }[] = [
${entries.join('')}];
`;
}

const { values } = parseArgs({
  options: {
    check: { type: 'boolean', default: false },
    from: { type: 'string', default: join(root, 'sql/sqlite') },
    to: { type: 'string', default: join(root, 'src/db/sqlite/migrations.generated.ts') },
  },
});

writeModule(values.to, moduleOf(readMigrations(values.from)), { source: values.from, check: values.check });
