import { defaultMaxRunning, type ExternalJob, type Job, type JobDefinition, type JobPool } from '../kernel/queue.ts';

/** The definitions of all jobs by kind, and how many jobs of each kind have run. */
export type Definitions = {
  /** @throws an Error for a kind without a definition */
  of(kind: string): JobDefinition;
  /** @throws an Error for a kind that is not an external job */
  external(kind: string): ExternalJob;
  isExternal(kind: string): boolean;
  externalKinds: readonly string[];
  /** The pool of a kind of external job. */
  poolOf(kind: string): JobPool;
  /** Counts one run of a job. Call it after the commit of its result. */
  countRun(job: Job<never>): void;
  runs: ReadonlyMap<string, number>;
};

export function createDefinitions(definitions: readonly JobDefinition[]): Definitions {
  const byKind = new Map(definitions.map((definition) => [definition.kind, definition]));
  const runs = new Map<string, number>();
  function of(kind: string): JobDefinition {
    const definition = byKind.get(kind);
    if (!definition) throw new Error(`no job of kind ${kind} is defined`);
    return definition;
  }
  function external(kind: string): ExternalJob {
    const definition = of(kind);
    if (definition.mode !== 'external') throw new Error(`a job of kind ${kind} takes no lane`);
    return definition;
  }
  return {
    of,
    external,
    externalKinds: definitions.filter(({ mode }) => mode === 'external').map(({ kind }) => kind),
    isExternal: (kind) => byKind.get(kind)?.mode === 'external',
    poolOf: (kind) => external(kind).pool ?? { name: kind, maxRunning: defaultMaxRunning },
    countRun: (job) => void runs.set(job.kind, (runs.get(job.kind) ?? 0) + 1),
    runs,
  };
}
