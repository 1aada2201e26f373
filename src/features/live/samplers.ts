import { every, isoOf, nextMacrotask } from '../../base/clock.ts';
import { AppError } from '../../base/errors.ts';
import type { App } from '../../kernel/app.ts';
import { createPace } from './pace.ts';
import type { Topic } from './topics.ts';

export type Watcher = {
  /** Called with each event of the topic, ready to be sent. */
  receive(topic: string, text: string): void;
  /** Called when the watched thing no longer exists. */
  gone(): void;
};

export type Samplers = { watch(orgId: string, topic: Topic, watcher: Watcher): () => void };

type Sampler = { watchers: Set<Watcher>; last: string | undefined; stop(): void };

/** Real time between two looks at a topic (contract, section 15). */
const sampleEveryMs = 1000;
/** Watchers that are told in one go; a write to a socket takes some 20 µs, and other requests must not wait for 500 of them. */
const watchersAtOnce = 50;

/**
 * Looks at each topic once a second at most while somebody watches it, and tells all of its watchers what changed. So fifty watchers cost one look,
 * and no change can be missed by forgetting to announce it.
 */
export function createSamplers(app: App): Samplers {
  const samplers = new Map<string, Sampler>();
  const pace = createPace();

  const eventOf = (topic: Topic, fields: string): string =>
    `event: ${topic.event}\ndata: {"topic":${JSON.stringify(topic.name)},"now":"${isoOf(app.clock.now())}",${fields.slice(1)}\n\n`;

  /** Watchers that come meanwhile get the same event when they begin to watch. */
  async function tell({ watchers }: Sampler, topic: string, text: string): Promise<void> {
    for (const [index, watcher] of [...watchers].entries()) {
      if (index > 0 && index % watchersAtOnce === 0) await nextMacrotask();
      if (watchers.has(watcher)) watcher.receive(topic, text);
    }
  }

  function start(orgId: string, key: string, topic: Topic): Sampler {
    const look = (): void => pace(orgId, sample);
    const sampler: Sampler = { watchers: new Set(), last: undefined, stop: every(sampleEveryMs, look) };
    async function sample(): Promise<void> {
      if (samplers.get(key) !== sampler) return;
      try {
        const fields = JSON.stringify(await topic.read());
        if (fields === sampler.last) return;
        sampler.last = fields;
        await tell(sampler, topic.name, eventOf(topic, fields));
      } catch (error) {
        if (error instanceof AppError && error.kind === 'not_found') {
          for (const watcher of sampler.watchers) watcher.gone();
        } else app.log.warn({ err: error, topic: topic.event }, 'a live topic could not be read');
      }
    }
    samplers.set(key, sampler);
    look();
    return sampler;
  }

  return {
    watch(orgId, topic, watcher) {
      const key = `${orgId} ${topic.name}`;
      const sampler = samplers.get(key) ?? start(orgId, key, topic);
      sampler.watchers.add(watcher);
      if (sampler.last !== undefined) watcher.receive(topic.name, eventOf(topic, sampler.last));
      return () => {
        sampler.watchers.delete(watcher);
        if (sampler.watchers.size > 0 || samplers.get(key) !== sampler) return;
        sampler.stop();
        samplers.delete(key);
      };
    },
  };
}
