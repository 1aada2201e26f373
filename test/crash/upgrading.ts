/** Opens the database file given as argument with migrations that a later version could ship. */
import { openDatabase } from '../../src/db/sqlite/open.ts';
import { nextMigrations } from '../support/next-migrations.ts';

(await openDatabase({ file: process.argv[2]!, nowMs: 0, migrations: nextMigrations })).close();
