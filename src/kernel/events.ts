import type { Tx } from '../db/transaction.ts';
import type { App, DomainEvent, Events, ReadingSubscriber, Subscriber } from './app.ts';

export const domainEvent = <P>(name: string): DomainEvent<P> => ({ name });

/**
 * Lets a feature cause changes in features that it does not import. The calls feature knows neither campaigns nor webhooks, yet the
 * transaction that ends a call also updates the campaign contact and writes the webhook deliveries.
 */
export function createEvents(): Events {
  const subscribers = new Map<string, Array<Subscriber<never> | ReadingSubscriber<never, unknown>>>();
  const begin: Events['begin'] = (app, tx, event, payload) => {
    const all = (subscribers.get(event.name) ?? []).map((subscriber) => begun(subscriber, app, tx, payload as never));
    return async () => {
      for (const act of all) await act();
    };
  };
  return {
    on(event, subscriber) {
      const known = subscribers.get(event.name);
      if (known) known.push(subscriber);
      else subscribers.set(event.name, [subscriber]);
    },
    emit: (app, tx, event, payload) => begin(app, tx, event, payload)(),
    begin,
  };
}

/** Begins what a subscriber reads. Returns what is left to do. */
function begun<P>(
  subscriber: Subscriber<P> | ReadingSubscriber<P, unknown>,
  app: App,
  tx: Tx,
  payload: P,
): () => Promise<void> {
  if (typeof subscriber === 'function') return () => subscriber(app, tx, payload);
  const found = subscriber.read(app, tx, payload);
  found.catch(() => undefined); // an earlier subscriber may throw first
  return async () => subscriber.act(app, tx, payload, await found);
}
