import { installation, transact } from '../../../db/transaction.ts';
import type { App } from '../../../kernel/app.ts';
import { deleteAllLinks } from '../people/link-store.ts';
import { deleteAllSessions } from './store.ts';

/** Ends every session and link of the installation: after a restore, some of them had been ended or used since the backup. */
export const endAllSessionsAndLinks = (app: Pick<App, 'db'>): Promise<void> =>
  transact(app.db, installation, async (tx) => {
    await deleteAllSessions(tx);
    await deleteAllLinks(tx);
  });
