import { dialectOf } from '../../db/dialect.ts';
import type { Queryable } from '../../db/transaction.ts';
import { postgresIndex } from './postgres/postgres-index.ts';
import type { SearchIndex } from './search-index.ts';
import { sqliteIndex } from './sqlite/sqlite-index.ts';

const indexes = { sqlite: sqliteIndex, postgres: postgresIndex };
const of = (db: Queryable): SearchIndex => indexes[dialectOf(db)];

/** The full-text index of the database that parley runs on. */
export const searchIndex: SearchIndex = {
  open: (db, ...args) => of(db).open(db, ...args),
  addPassages: (tx, ...args) => of(tx).addPassages(tx, ...args),
  deletePassageBatch: (tx, ...args) => of(tx).deletePassageBatch(tx, ...args),
  deleteBaseBatch: (tx, ...args) => of(tx).deleteBaseBatch(tx, ...args),
  hasManyPassages: (db, ...args) => of(db).hasManyPassages(db, ...args),
  fill: (tx) => of(tx).fill(tx),
  mergeStep: (tx) => of(tx).mergeStep(tx),
};
