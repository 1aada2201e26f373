import { every, isoOf } from '../../base/clock.ts';
import { AppError } from '../../base/errors.ts';
import type { App } from '../../kernel/app.ts';
import { createPace } from './pace.ts';
import type { Topic } from './topics.ts';

export type Watcher = {
  /** Called with each event of the topic, encoded as it is sent. */
  receive(topic: string, event: Buffer): void;
  /** Called when the watched thing no longer exists. */
  gone(): void;
};

export type Samplers = { watch(orgId: string, topic: Topic, watcher: Watcher): () => void };

type Sampler = { watchers: Set<Watcher>; last: string | undefined; stop(): void };

/** Real time between two looks at a topic. */
const sampleEveryMs = 1000;

/**
 * Looks at each topic once a second at most while somebody watches it, and tells all of its watchers what changed. So fifty watchers cost one look,
 * and no change can be missed by forgetting to announce it.
 */
export function createSamplers(app: App): Samplers {
  const samplers = new Map<string, Sampler>();
  const pace = createPace();

  /** Encoded once for all watchers: 500 copies of 10 KiB a second would cost more than the writes. */
  const eventOf = (topic: Topic, fields: string): Buffer =>
    Buffer.from(
      `event: ${topic.event}\ndata: {"topic":${JSON.stringify(topic.name)},"now":"${isoOf(app.clock.now())}",${fields.slice(1)}\n\n`,
    );

  function start(orgId: string, key: string, topic: Topic): Sampler {
    const look = (): void => pace(orgId, sample);
    const sampler: Sampler = { watchers: new Set(), last: undefined, stop: every(sampleEveryMs, look) };
    async function sample(): Promise<void> {
      if (samplers.get(key) !== sampler) return;
      try {
        const fields = JSON.stringify(await topic.read());
        if (fields === sampler.last) return;
        sampler.last = fields;
        const event = eventOf(topic, fields);
        for (const watcher of sampler.watchers) watcher.receive(topic.name, event);
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
