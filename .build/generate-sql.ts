/**
 * Writes the SQL files into a module, because the executable has no files to read at run time.
 *
 *   node .build/generate-sql.ts [--check] [--from sql/sqlite] [--to src/db/sqlite/migrations.generated.ts]
 *
 * `--check` writes nothing and exits 1 when the module is not what the files would make.
 */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

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
    // A checkout on Windows may have turned line ends; the hash is of what the repository holds.
    const sql = readFileSync(join(directory, file), 'utf8').replaceAll('\r\n', '\n');
    return { id: Number(id), name, sql, sha256: createHash('sha256').update(sql).digest('hex') };
  });
}

/** A template literal, so that a change of the SQL reads as one in the module's diff. */
const literal = (text: string): string => `\`${text.replaceAll(/[\\`]|\$(?=\{)/g, String.raw`\$&`)}\``;

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

const wanted = moduleOf(readMigrations(values.from));
const present = existsSync(values.to) ? readFileSync(values.to, 'utf8').replaceAll('\r\n', '\n') : undefined;
if (present === wanted) {
  console.log(`${values.to} is up to date`);
} else if (values.check) {
  console.error(`${values.to} is not what ${values.from} makes: run \`npm run generate\` and commit the result`);
  process.exitCode = 1;
} else {
  writeFileSync(values.to, wanted);
  console.log(`wrote ${values.to}`);
}
