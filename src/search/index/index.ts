import type { SearchIndex } from './search-index.ts';
import { sqliteIndex } from './sqlite/sqlite-index.ts';

/** The full-text index of the database that parley runs on. An index for another database is chosen here. */
export const searchIndex: SearchIndex = sqliteIndex;
