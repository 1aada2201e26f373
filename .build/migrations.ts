import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { readText } from './generated-module.ts';

export type Migration = {
  id: number;
  name: string;
  sql: string;
  /** Hash of the statements without comments and white space, so that both may still change after the release. */
  sha256: string;
};

/** The content of `released.json`: hashes by file name without `.sql`. */
type Released = Record<string, string>;

const fileName = /^(?<id>\d{4})_(?<name>[a-z0-9_]+)\.sql$/;

/**
 * The migrations in a folder. A migration listed in the folder's `released.json` has run on databases of users and must not change;
 * list it there with the release that ships it.
 * @throws when a file is misnamed, a number is missing, or a released migration has changed
 */
export function readMigrations(directory: string): Migration[] {
  const files = readdirSync(directory)
    .filter((file) => file.endsWith('.sql'))
    .toSorted();
  if (files.length === 0) throw new Error(`${directory} holds no .sql files`);
  const released = JSON.parse(readText(join(directory, 'released.json'))) as Released;
  for (const name of Object.keys(released)) {
    if (!files.includes(`${name}.sql`)) throw new Error(`${name}.sql is missing, but released.json lists it`);
  }
  return files.map((file, index) => {
    const { id, name } = fileName.exec(file)?.groups ?? {};
    if (id === undefined || name === undefined) throw new Error(`${file}: name it like 0001_add_orders.sql`);
    if (Number(id) !== index + 1) throw new Error(`${file}: number migrations 0001, 0002, … without gaps`);
    const sql = readText(join(directory, file));
    const sha256 = hashOf(sql);
    if (sha256 !== (released[`${id}_${name}`] ?? sha256)) {
      throw new Error(`${file} was released and must not change: undo the change, and write a new migration`);
    }
    return { id: Number(id), name, sql, sha256 };
  });
}

/** Hash of the statements of an SQL text. */
export const hashOf = (sql: string): string => createHash('sha256').update(tokensOf(sql).join(' ')).digest('hex');

/** Alternatives in order: comments, quoted texts and names, words and numbers, operators, and any other single character. */
const token =
  /--[^\n]*|\/\*[^]*?(?:\*\/|$)|[xX]?'(?:[^']|'')*'|"(?:[^"]|"")*"|`(?:[^`]|``)*`|\[[^\]]*\]|[\p{L}\p{N}_$.]+|->>|->|<>|<=|>=|<<|>>|==|!=|\|\||\S/gu;

/**
 * The tokens that SQLite's parser reads from an SQL text (https://www.sqlite.org/lang_expr.html), without comments and white space. Two
 * texts with the same tokens do the same.
 * @throws when a quoted text or name does not end
 */
export function tokensOf(sql: string): string[] {
  const tokens = (sql.match(token) ?? []).filter((text) => !/^(?:--|\/\*)/.test(text));
  const open = tokens.find((text) => /^['"`[]$/.test(text));
  if (open !== undefined) throw new Error(`a ${open} has no end`);
  return tokens;
}
