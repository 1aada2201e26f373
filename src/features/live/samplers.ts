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

/** Real time between two looks at most topics. */
const sampleEveryMs = 1000;

type Sampler = { watchers: Set<Watcher>; last: string | undefined; isOver: boolean; stop(): void };

/**
 * Looks at each topic now and then, mostly once a second, while somebody watches it, and tells all of its watchers what changed. So fifty watchers cost one look,
 * and no change can be missed by forgetting to announce it.
 */
export function createSamplers(app: App): Samplers {
  const samplers = new Map<string, Sampler>();
  const pace = createPace();

  /** Encoded once for all watchers: 500 copies of 10 KiB a second would cost more than the writes. */
  function eventOf(topic: Topic, fields: string, isOver: boolean): Buffer {
    const head = `{"topic":${JSON.stringify(topic.name)},"now":"${isoOf(app.clock.now())}"`;
    const end = isOver ? `event: ended\ndata: ${head}}\n\n` : '';
    return Buffer.from(`event: ${topic.event}\ndata: ${head},${fields.slice(1)}\n\n${end}`);
  }

  function start(orgId: string, key: string, topic: Topic): Sampler {
    const look = (): void => pace(orgId, sample);
    const sampler: Sampler = {
      watchers: new Set(),
      last: undefined,
      isOver: false,
      stop: every(topic.everyMs ?? sampleEveryMs, look),
    };
    async function sample(): Promise<void> {
      if (samplers.get(key) !== sampler) return;
      try {
        const state = await topic.read();
        const fields = JSON.stringify(state);
        if (fields === sampler.last) return;
        sampler.last = fields;
        sampler.isOver = topic.isLast?.(state) ?? false;
        if (sampler.isOver) sampler.stop();
        const event = eventOf(topic, fields, sampler.isOver);
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
      if (sampler.last !== undefined) watcher.receive(topic.name, eventOf(topic, sampler.last, sampler.isOver));
      return () => {
        sampler.watchers.delete(watcher);
        if (sampler.watchers.size > 0 || samplers.get(key) !== sampler) return;
        sampler.stop();
        samplers.delete(key);
      };
    },
  };
}
