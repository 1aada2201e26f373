import { persist } from '../../db/transaction.ts';
import { backgroundWrite } from '../../kernel/background.ts';

/** Copies the write-ahead log into the database. A commit of the main thread then starts the log over. */
export const checkpointTask = backgroundWrite('database.checkpoint', (app) => persist(app.db));
