import { monotonicMs } from '../../base/clock.ts';
import type { App } from '../../kernel/app.ts';
import { searchIndex } from '../index/index.ts';
import { embed, EmbeddingsFailure } from './client.ts';
import { type EmbeddingsSettings, embeddingsOf } from './settings.ts';
import { findSpace, type VectorSpace } from './vector-spaces.ts';
import type { UnitVector } from './vectors.ts';

/** After a failure the endpoint is not called for this long (real time), so that not every caller waits for the time-out. */
const backoffMs = 10_000;
const backoffUntil = new WeakMap<App, number>();

/** Longer queries are truncated, because an endpoint may refuse them. */
const maxQueryChars = 2000;

/** The vector of a query, and the vector space to compare it in. */
export type QueryVector = { space: VectorSpace; vector: UnitVector };

/**
 * Embeds a query. Undefined where there is nothing to compare it with, and when the endpoint fails or is too slow: the query is then
 * answered by words alone.
 */
export async function embedQuery(
  app: App,
  { knowledgeBaseIds, query }: { knowledgeBaseIds: readonly string[]; query: string },
): Promise<QueryVector | undefined> {
  const settings = embeddingsOf(app.config);
  const space = settings && (await findSpace(app.db, settings));
  const hasWord = /[\p{L}\p{N}\p{So}]/u.test(query);
  if (!settings || !space || space.dimensions === null || !hasWord) return undefined;
  if (!(await searchIndex.open(app.db, knowledgeBaseIds))) return undefined;
  const vector = await requestVector(app, settings, query);
  return vector && { space, vector };
}

async function requestVector(app: App, settings: EmbeddingsSettings, query: string): Promise<UnitVector | undefined> {
  if (monotonicMs() < (backoffUntil.get(app) ?? 0)) return undefined;
  try {
    const text = query.slice(0, maxQueryChars).toWellFormed();
    const [vector] = await embed(app, settings, [text], { timeoutMs: settings.queryTimeoutMs });
    return vector;
  } catch (error) {
    if (!(error instanceof EmbeddingsFailure)) throw error;
    if (!error.refusesTexts) backoffUntil.set(app, monotonicMs() + backoffMs);
    app.log.warn({ error: error.message }, 'query could not be embedded; it is answered by words alone');
    return undefined;
  }
}
