import { monotonicMs } from '../../../../base/clock.ts';
import type { App } from '../../../../kernel/app.ts';
import { embed, EmbeddingsFailure } from './client.ts';
import type { EmbeddingsSettings } from './settings.ts';
import type { Unit } from './vectors.ts';

/** After a failure the endpoint is not asked for so long (real time), so that not every caller waits for it in vain. */
const restMs = 10_000;
const restsUntil = new WeakMap<App, number>();

/** Longer questions are cut: an endpoint may refuse them. */
const longestQuestion = 2000;

/** The vector of a question; undefined when the endpoint fails or is too slow. Then words have to do. */
export async function vectorOfQuestion(
  app: App,
  settings: EmbeddingsSettings,
  query: string,
): Promise<Unit | undefined> {
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
