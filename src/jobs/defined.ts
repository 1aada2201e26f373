import type { Job, JobDefinition } from '../kernel/queue.ts';

/** What the application's jobs do, looked up by kind, and how many of each have run. */
export type Defined = {
  /** @throws an Error for a kind that nothing defines */
  definitionOf(job: Job<never>): JobDefinition;
  /** A job ran, and what it did is committed. */
  ran(job: Job<never>): void;
  counts: ReadonlyMap<string, number>;
};

export function lookUp(definitions: readonly JobDefinition[]): Defined {
  const byKind = new Map(definitions.map((definition) => [definition.kind, definition]));
  const counts = new Map<string, number>();
  return {
    definitionOf(job) {
      const definition = byKind.get(job.kind);
      if (!definition) throw new Error(`no job of kind ${job.kind} is defined`);
      return definition;
    },
    ran: (job) => void counts.set(job.kind, (counts.get(job.kind) ?? 0) + 1),
    counts,
  };
}
