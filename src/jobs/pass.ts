import { messageOf } from '../base/errors.ts';
import { type Scope, transact } from '../db/transaction.ts';
import type { App } from '../kernel/app.ts';
import type { Agenda } from './agenda.ts';
import type { Finished } from './completion.ts';
import type { Definitions } from './definitions.ts';
import type { ExternalJobs } from './external.ts';
import type { TransactionalJobs } from './transactional.ts';

export type Parts = {
  app: App;
  agenda: Agenda;
  definitions: Definitions;
  external: ExternalJobs;
  transactional: TransactionalJobs;
};

/**
 * Serves one scope in one commit: writes the results of its finished jobs, runs its due transactional jobs and claims its external ones,
 * among them those that the former have just enqueued. A commit costs as much for one job as for a hundred. When one of them throws, each
 * gets a commit of its own, so that it affects no other. Returns how many jobs were completed or run.
 */
export async function serve(parts: Parts, scope: Scope): Promise<number> {
  const results = parts.external.takeResults(scope);
  try {
    return await serveTogether(parts, scope, results);
  } catch (error) {
    return serveOneByOne(parts, scope, results, error);
  }
}

async function serveTogether(parts: Parts, scope: Scope, results: readonly Finished[]): Promise<number> {
  const { app, definitions, external, transactional } = parts;
  const { ran, claimed } = await transact(app.db, scope, async (tx) => {
    await external.complete(tx, results);
    const jobs = await transactional.run(tx, scope);
    return { ran: jobs, claimed: await external.claim(tx, scope, results.length + jobs.length > 0) };
  });
  external.admit(scope, claimed, results);
  ran.forEach((job) => definitions.countRun(job));
  return results.length + ran.length;
}

/** Claims nothing; the next pass does. @throws the error when the scope has no job that could have caused it */
async function serveOneByOne(
  { app, agenda, external, transactional }: Parts,
  scope: Scope,
  results: readonly Finished[],
  error: unknown,
): Promise<number> {
  agenda.add(scope, 'external', 0);
  agenda.add(scope, 'transactional', 0);
  app.log.warn(
    { error: messageOf(error), results: results.length },
    'jobs failed in one transaction; retrying them one by one',
  );
  await external.completeOneByOne(results);
  external.admit(scope, undefined, results);
  const due = await transactional.runOneByOne(scope);
  if (results.length + due === 0) throw error;
  return results.length + due;
}

/** Writes all results and begins nothing: for a process that stops. Returns how many there were. */
export async function completeAll({ app, external }: Parts): Promise<number> {
  let count = 0;
  for (const scope of external.scopesWithResults()) {
    const results = external.takeResults(scope);
    count += results.length;
    try {
      await transact(app.db, scope, (tx) => external.complete(tx, results));
    } catch {
      await external.completeOneByOne(results); // logs what cannot be written
    }
    external.admit(scope, undefined, results);
  }
  return count;
}
