import { nightly } from '../../kernel/nightly.ts';
import { jobKind } from '../../kernel/queue.ts';
import { deleteExpiredLinks } from './people/link-store.ts';
import { pruneSessions } from './sessions/service.ts';

/** Small enough that the transaction does not delay others noticeably. */
const batchSize = 500;

/** Deletes sessions and links that have expired. */
export const accessPruning = nightly(jobKind('access.prune'), '41 3 * * *', async (app, tx) => {
  const links = await deleteExpiredLinks(tx, app.clock.now(), batchSize);
  return (await pruneSessions(app, tx, batchSize)) || links === batchSize;
});
