import { nightly } from '../../kernel/nightly.ts';
import { jobKind } from '../../kernel/queue.ts';
import { deleteExpiredLinks } from './people/link-store.ts';
import { pruneSessions } from './sessions/service.ts';

/** Deletes sessions and links that have expired. */
export const accessPruning = nightly(jobKind('access.prune'), '41 3 * * *', async (app, tx, rows) => {
  const links = await deleteExpiredLinks(tx, app.clock.now(), rows);
  return (await pruneSessions(app, tx, rows)) || links === rows;
});
