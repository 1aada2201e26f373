import type { Config } from '../../base/config/schema.ts';
import { messageOf } from '../../base/errors.ts';
import { transact, type Tx } from '../../db/transaction.ts';
import type { App } from '../../kernel/app.ts';
import { nightly } from '../../kernel/nightly.ts';
import {
  type Completion,
  enqueue,
  externalJob,
  type Job,
  type JobDefinition,
  jobKind,
  transactionalJob,
} from '../../kernel/queue.ts';
import { embed, EmbeddingsFailure } from './client.ts';
import { embedBase, type EmbeddingWork, goOn, link } from './placing.ts';
import { type EmbeddingsSettings, embeddingsOf } from './settings.ts';
import {
  deleteObsolete,
  idsAfter,
  isAnythingWaiting,
  keepEmbedding,
  makeCurrent,
  noLongerWaiting,
  settleDimensions,
  type Space,
  spaceOf,
  waitingOf,
} from './store.ts';
import { embeddedText } from './text.ts';
import { bytesOf, type Unit } from './vectors.ts';

/** Batches that the endpoint gets at the same time. */
const concurrency = 2;
/** Waits after the 1st, 2nd, … failure in a row; the last one holds until it works again. */
const waitsMs = [1000, 5000, 30_000, 120_000, 600_000] as const;

const lookThrough = jobKind<{ after: number }>('retrieval.look_through');

/** @throws {ConfigError} when the settings of the endpoint are not complete */
export function retrievalJobs(config: Config): JobDefinition[] {
  const settings = embeddingsOf(config);
  return [
    externalJob(embedBase, {
      laneConcurrency: concurrency,
      leaseMs: config.embeddings.timeout_ms + 60_000,
      // A failure is a result with waits of its own; what throws is a defect, or the end of the process.
      retryDelaysMs: [1000, 60_000],
      run: (app, job, signal) => embedSome(app, settings, job, signal),
      exhausted: (app, tx, job, error) => brokeOff(app, tx, settings, job, error),
    }),
    transactionalJob(lookThrough, (app, tx, job) => lookThroughSome(app, tx, settings, job)),
    retrievalPruning.job,
  ];
}

type Batch = Awaited<ReturnType<typeof waitingOf>>;

/** At least once: a batch whose fate is unknown is asked for again, and its vectors take the place of none. */
async function embedSome(
  app: App,
  settings: EmbeddingsSettings | undefined,
  { payload }: Job<EmbeddingWork>,
  signal: AbortSignal,
): Promise<Completion> {
  const space = settings && (await spaceOf(app.db, settings));
  if (!settings || !space) return { write: () => Promise.resolve() }; // switched off: words find what waits
  const batch = await waitingOf(app.db, payload.baseId, payload.atOnce);
  if (batch.length === 0) return { write: (tx) => goOnIfNeeded(app, tx, settings, payload.baseId) };
  const texts = batch.map(embeddedText);
  try {
    const vectors = await embed(app, settings, texts, { timeoutMs: settings.timeoutMs });
    return { write: (tx) => keep(app, tx, settings, space, payload, batch, vectors) };
  } catch (error) {
    if (!(error instanceof EmbeddingsFailure) || signal.aborted) throw error;
    return { write: (tx) => putOff(app, tx, settings, payload, batch, error) };
  }
}

async function keep(
  app: App,
  tx: Tx,
  settings: EmbeddingsSettings,
  space: Space,
  { baseId }: EmbeddingWork,
  batch: Batch,
  vectors: readonly Unit[],
): Promise<void> {
  if (!(await settleDimensions(tx, space.id, vectors[0]!.length))) {
    const message = `The embeddings endpoint gives vectors of ${vectors[0]!.length} dimensions for ${settings.model}, and gave others before.`;
    return putOff(
      app,
      tx,
      settings,
      { baseId, failures: waitsMs.length, atOnce: settings.batchSize },
      batch,
      new EmbeddingsFailure(message),
    );
  }
  const base = await tx
    .selectFrom('retrieval_bases')
    .select('organization_id')
    .where('id', '=', baseId)
    .executeTakeFirst();
  if (!base) return;
  for (const [index, { hash }] of batch.entries()) {
    const vector = bytesOf(vectors[index]!);
    await keepEmbedding(tx, { organizationId: base.organization_id, spaceId: space.id, hash, vector });
  }
  const ids = batch.map(({ id }) => id);
  await noLongerWaiting(tx, baseId, ids);
  await link(tx, space, ids);
  await goOnIfNeeded(app, tx, settings, baseId);
}

/** What was put while the job ran could not enqueue another one. */
async function goOnIfNeeded(app: App, tx: Tx, settings: EmbeddingsSettings, baseId: number): Promise<void> {
  if (await isAnythingWaiting(tx, baseId)) await goOn(app, tx, settings, { baseId, failures: 0 });
}

/** A batch that is refused is tried in halves, so that one text that the endpoint does not take keeps no other from it. */
async function putOff(
  app: App,
  tx: Tx,
  settings: EmbeddingsSettings,
  { baseId, failures }: EmbeddingWork,
  batch: Batch,
  error: EmbeddingsFailure,
): Promise<void> {
  if (error.refusesTexts && batch.length > 1) {
    return goOn(app, tx, settings, { baseId, failures, atOnce: Math.ceil(batch.length / 2) });
  }
  if (error.refusesTexts) {
    app.log.warn({ passage: batch[0]!.id, error: error.message }, 'a passage is not embedded; its words find it');
    await noLongerWaiting(tx, baseId, [batch[0]!.id]);
    return goOn(app, tx, settings, { baseId, failures: 0 });
  }
  const waitMs = Math.max(waitsMs[Math.min(failures, waitsMs.length - 1)]!, error.retryAfterMs);
  app.log.warn({ error: error.message, waitMs }, 'passages could not be embedded; their words find them meanwhile');
  return goOn(app, tx, settings, { baseId, failures: failures + 1, delayMs: waitMs });
}

async function brokeOff(
  app: App,
  tx: Tx,
  settings: EmbeddingsSettings | undefined,
  job: Job<EmbeddingWork>,
  error: unknown,
): Promise<void> {
  app.log.error({ err: error, base: job.key }, `embedding broke off: ${messageOf(error)}`);
  if (settings) await goOn(app, tx, settings, { ...job.payload, delayMs: waitsMs.at(-1)! });
}

/** Passages that one transaction looks at. */
const lookedThroughAtOnce = 200;

/** Finds what has no vector in a space that has become the current one. */
async function lookThroughSome(
  app: App,
  tx: Tx,
  settings: EmbeddingsSettings | undefined,
  { payload }: Job<{ after: number }>,
): Promise<void> {
  const space = settings && (await spaceOf(tx, settings));
  if (!settings || !space) return;
  const ids = await idsAfter(tx, payload.after, lookedThroughAtOnce);
  for (const baseId of await link(tx, space, ids)) await goOn(app, tx, settings, { baseId, failures: 0 });
  const last = ids.at(-1);
  if (last !== undefined) await enqueueLook(app, tx, last);
}

const enqueueLook = (app: App, tx: Tx, after: number): Promise<void> =>
  enqueue(app, tx, lookThrough, { key: 'all', dueAt: app.clock.now(), payload: { after }, onConflict: 'replace' });

/** At every start: when the settings name another model than before, everything is embedded anew. */
export const embeddingCadence = {
  schedule: (app: App): Promise<void> =>
    transact(app.db, async (tx) => {
      if (await makeCurrent(tx, embeddingsOf(app.config))) await enqueueLook(app, tx, 0);
    }),
};

/** Few enough that a batch holds up nobody. */
const prunedAtOnce = 500;

/** Deletes vectors that nothing has any more. */
export const retrievalPruning = nightly(
  jobKind('retrieval.prune'),
  '41 3 * * *',
  async (_app, tx) => (await deleteObsolete(tx, prunedAtOnce)) === prunedAtOnce,
);
