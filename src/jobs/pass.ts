import { messageOf } from '../base/errors.ts';
import { StorageRefusal } from '../db/storage.ts';
import { transact, transactTogether, type Tx, withScope } from '../db/transaction.ts';
import type { App } from '../kernel/app.ts';
import type { Job } from '../kernel/queue.ts';
import type { Definitions } from './definitions.ts';
import type { ExternalJobs, ExternalWork } from './external.ts';
import type { LaneQueue } from './job-queue.ts';
import type { Claimed } from './store.ts';
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
 * Serves scopes in one commit: writes the results of their finished jobs, runs their due transactional jobs and claims external ones. A
 * commit costs as much for one job as for a hundred. When a job throws, each scope and then each job gets a commit of its own, so that the
 * faulty one affects no other. Resolves when the commit is on disk and the jobs that it claimed have been started.
 */
export async function serve(parts: Parts, works: readonly ScopeWork[]): Promise<void> {
  try {
    await serveTogether(parts, works);
  } catch (error) {
    if (error instanceof StorageRefusal && error.isUncertain) parts.external.doubtClaims();
    if (works.length === 1) await serveOneByOne(parts, works[0]!, error);
    else await serveEach(parts, works);
  }
}

async function serveTogether(parts: Parts, works: readonly ScopeWork[]): Promise<void> {
  const { app, definitions, external, transactional } = parts;
  let ran: Array<Job<never>> = [];
  const run = async (tx: Tx): Promise<Claimed<LaneQueue>> => {
    ran = [];
    await external.complete(
      tx,
      works.flatMap((work) => work.external.results),
    );
    const until = transactional.deadline();
    for (const { external: work, hasTransactional } of works) {
      if (!hasTransactional) continue;
      const jobs = await withScope(tx, work.scope, () => transactional.run(tx, work.scope, until));
      ran.push(...jobs);
    }
    return external.claim(
      tx,
      works.flatMap((work) => work.external.lanes),
    );
  };
  const scopes = works.map((work) => work.external.scope);
  const claimed = await transactTogether(app.db, scopes, run);
  for (const { external: work } of works) external.settle(work, claimed);
  ran.forEach((job) => definitions.countRun(job));
}

/** @throws the first error, after all scopes had their commit */
async function serveEach(parts: Parts, works: readonly ScopeWork[]): Promise<void> {
  const errors: unknown[] = [];
  for (const work of works) await serve(parts, [work]).catch((error: unknown) => errors.push(error));
  if (errors.length > 0) throw errors[0];
}

/**
 * Claims no jobs; a later pass claims them.
 * @throws `error` when the scope had no results and no due jobs, so that no job caused it; the storage's refusal
 */
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
  const { done, refusal } = await external.completeOneByOne(work);
  external.settle(done);
  const due = hasTransactional ? await transactional.runOneByOne(scope) : 0;
  if (refusal) throw refusal;
  if (results.length + due === 0) throw error;
}

/** Writes all results and starts nothing, because the process stops. Returns the storage's refusal if there was one: the rest is left. */
export async function completeAll({ app, external }: Parts): Promise<StorageRefusal | undefined> {
  for (let [scope] = external.scopesWithResults(); scope !== undefined; [scope] = external.scopesWithResults()) {
    const work = external.take(scope);
    try {
      await transact(app.db, scope, (tx) => external.complete(tx, work.results));
      external.settle(work);
    } catch {
      const { done, refusal } = await external.completeOneByOne(work);
      external.settle(done);
      if (refusal) return refusal;
    }
  }
  return undefined;
}
