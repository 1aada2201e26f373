import { messageOf } from '../base/errors.ts';
import { transact } from '../db/transaction.ts';
import type { App } from '../kernel/app.ts';
import type { Definitions } from './definitions.ts';
import type { ExternalJobs, ExternalWork } from './external.ts';
import type { TransactionalJobs } from './transactional.ts';

export type Parts = {
  app: App;
  definitions: Definitions;
  external: ExternalJobs;
  transactional: TransactionalJobs;
};

/** The work that one commit does for one scope. */
export type ScopeWork = { external: ExternalWork; hasTransactional: boolean };

/**
 * Serves one scope in one commit: writes the results of its finished jobs, runs its due transactional jobs and claims external ones. A
 * commit costs as much for one job as for a hundred. When a job throws, each job gets a commit of its own, so that the faulty one affects
 * no other.
 */
export async function serve(parts: Parts, work: ScopeWork): Promise<void> {
  try {
    await serveTogether(parts, work);
  } catch (error) {
    await serveOneByOne(parts, work, error);
  }
}

async function serveTogether(parts: Parts, { external: work, hasTransactional }: ScopeWork): Promise<void> {
  const { app, definitions, external, transactional } = parts;
  const { ran, claimed } = await transact(app.db, work.scope, async (tx) => {
    await external.complete(tx, work);
    const jobs = hasTransactional ? await transactional.run(tx, work.scope) : [];
    return { ran: jobs, claimed: await external.claim(tx, work) };
  });
  external.settle(work, claimed);
  ran.forEach((job) => definitions.countRun(job));
}

/** Claims no jobs; a later pass claims them. @throws `error` when the scope had no results and no due jobs, so that no job caused it */
async function serveOneByOne(
  { app, external, transactional }: Parts,
  { external: work, hasTransactional }: ScopeWork,
  error: unknown,
): Promise<void> {
  const { scope, results } = work;
  app.log.warn(
    { error: messageOf(error), results: results.length },
    'jobs failed in one transaction; retrying them one by one',
  );
  await external.completeOneByOne(work);
  external.settle(work);
  const due = hasTransactional ? await transactional.runOneByOne(scope) : 0;
  if (results.length + due === 0) throw error;
}

/** Writes all results and begins nothing: for a process that stops. */
export async function completeAll({ app, external }: Parts): Promise<void> {
  for (let [scope] = external.scopesWithResults(); scope !== undefined; [scope] = external.scopesWithResults()) {
    const work = external.take(scope);
    try {
      await transact(app.db, scope, (tx) => external.complete(tx, work));
    } catch {
      await external.completeOneByOne(work); // logs results that cannot be written
    }
    external.settle(work);
  }
}
