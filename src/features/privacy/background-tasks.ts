import { forgetDeleted } from '../../db/transaction.ts';
import { backgroundWrite } from '../../kernel/background.ts';

/** Deleted content is overwritten in the database file, and the log holds nothing any more. Returns false while a read still needs the log. */
export const emptyLogTask = backgroundWrite('database.empty_log', (app) => forgetDeleted(app.db));
