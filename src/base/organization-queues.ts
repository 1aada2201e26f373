import { createShares, type Queue } from './shares.ts';

/** A job whose turn it is. It occupies one of the places until `finished` is called; call that when the job has ended. */
export type NextJob<J> = { job: J; finished: () => void };

/** Waiting jobs, first in, first out in each organization, while organizations take turns. */
export type OrganizationQueues<J> = {
  add(orgId: string, job: J): void;
  /** The organization's waiting jobs. */
  waiting(orgId: string): readonly J[];
  next(): NextJob<J> | undefined;
  /** Returns whether the job waited. */
  remove(orgId: string, job: J): boolean;
  /** Removes all waiting jobs and returns them. */
  clear(): J[];
};

type OrganizationQueue<J> = Queue & { jobs: J[] };

export function createOrganizationQueues<J>(places: number): OrganizationQueues<J> {
  const queues = new Map<string, OrganizationQueue<J>>();
  const shares = createShares<OrganizationQueue<J>>({ pool: () => places, lane: () => places });

  function forgetEmpty(queue: OrganizationQueue<J>): void {
    if (queue.jobs.length > 0) return;
    shares.remove(queue);
    queues.delete(queue.scope);
  }

  return {
    add(orgId, job) {
      const queue = queues.get(orgId) ?? { poolName: 'reading', scope: orgId, lane: orgId, jobs: [] };
      queues.set(orgId, queue);
      queue.jobs.push(job);
      shares.add(queue);
    },
    waiting: (orgId) => queues.get(orgId)?.jobs ?? [],
    next() {
      const queue = shares.next();
      if (!queue) return undefined;
      const job = queue.jobs.shift()!;
      forgetEmpty(queue);
      return { job, finished: () => shares.finished(queue) };
    },
    remove(orgId, job) {
      const queue = queues.get(orgId);
      const position = queue?.jobs.indexOf(job) ?? -1;
      if (!queue || position === -1) return false;
      queue.jobs.splice(position, 1);
      forgetEmpty(queue);
      return true;
    },
    clear() {
      const waiting = [...queues.values()].flatMap(({ jobs }) => jobs.splice(0));
      for (const queue of queues.values()) forgetEmpty(queue);
      return waiting;
    },
  };
}
