import type { Job, JobDefinition } from '../kernel/queue.ts';

/** The definitions of all jobs by kind, and how many jobs of each kind have run. */
export type Definitions = {
  /** @throws an Error for a kind without a definition */
  of(job: Job<never>): JobDefinition;
  /** Counts a job whose effects are committed. */
  countRun(job: Job<never>): void;
  runs: ReadonlyMap<string, number>;
};

export function createDefinitions(definitions: readonly JobDefinition[]): Definitions {
  const byKind = new Map(definitions.map((definition) => [definition.kind, definition]));
  const runs = new Map<string, number>();
  return {
    of(job) {
      const definition = byKind.get(job.kind);
      if (!definition) throw new Error(`no job of kind ${job.kind} is defined`);
      return definition;
    },
    countRun: (job) => void runs.set(job.kind, (runs.get(job.kind) ?? 0) + 1),
    runs,
  };
}
