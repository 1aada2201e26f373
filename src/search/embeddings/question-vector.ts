import { monotonicMs } from '../../base/clock.ts';
import type { App } from '../../kernel/app.ts';
import { basesOf } from '../index/sqlite/bases.ts';
import { embed, EmbeddingsFailure } from './client.ts';
import { type EmbeddingsSettings, embeddingsOf } from './settings.ts';
import { type Space, spaceOf } from './store.ts';
import type { Unit } from './vectors.ts';

/** After a failure the endpoint is not asked for so long (real time), so that not every caller waits for it in vain. */
const restMs = 10_000;
const restsUntil = new WeakMap<App, number>();

/** Longer questions are cut: an endpoint may refuse them. */
const longestQuestion = 2000;

/** The vector of a question, and where it can be compared. */
export type QuestionVector = { space: Space; vector: Unit };

/**
 * The vector of a question; undefined where there are none to compare it with, and when the endpoint fails or is too slow. Then words
 * have to do.
 */
export async function vectorFor(
  app: App,
  { knowledgeBaseIds, query }: { knowledgeBaseIds: readonly string[]; query: string },
): Promise<QuestionVector | undefined> {
  const settings = embeddingsOf(app.config);
  const space = settings && (await spaceOf(app.db, settings));
  // Without a word or picture in it there is nothing to ask.
  if (!settings || !space || space.dimensions === null || !/[\p{L}\p{N}\p{So}]/u.test(query)) return undefined;
  if ((await basesOf(app.db, knowledgeBaseIds)).length === 0) return undefined;
  const vector = await vectorOfQuestion(app, settings, query);
  return vector && { space, vector };
}

async function vectorOfQuestion(app: App, settings: EmbeddingsSettings, query: string): Promise<Unit | undefined> {
  if (monotonicMs() < (restsUntil.get(app) ?? 0)) return undefined;
  try {
    const text = query.slice(0, longestQuestion).toWellFormed();
    const [vector] = await embed(app, settings, [text], { timeoutMs: settings.queryTimeoutMs });
    return vector;
  } catch (error) {
    if (!(error instanceof EmbeddingsFailure)) throw error;
    if (!error.refusesTexts) restsUntil.set(app, monotonicMs() + restMs);
    app.log.warn({ error: error.message }, 'a question could not be embedded; it is answered by words alone');
    return undefined;
  }
}
