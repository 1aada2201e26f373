import Sqlite from 'better-sqlite3';
import { bindingFor } from './addon.ts';

/** Runs one query on a database file that no process has open. The file is not changed, not even to upgrade it. */
export function peek<R>(file: string, query: string, parameters: readonly string[] = []): R[] {
  const database = new Sqlite(file, { readonly: true, fileMustExist: true, ...bindingFor(file) });
  try {
    return database.prepare(query).all(...parameters) as R[];
  } finally {
    database.close();
  }
}
