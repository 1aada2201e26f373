import type { DomainEvent, Events, Subscriber } from './app.ts';

export const domainEvent = <P>(name: string): DomainEvent<P> => ({ name });

/**
 * Lets a feature cause changes in features that it does not import. The calls feature knows neither campaigns nor webhooks, yet the
 * transaction that ends a call also updates the campaign contact and writes the webhook deliveries.
 */
export function createEvents(): Events {
  const subscribers = new Map<string, Array<Subscriber<never>>>();
  return {
    on(event, subscriber) {
      const known = subscribers.get(event.name);
      if (known) known.push(subscriber);
      else subscribers.set(event.name, [subscriber]);
    },
    async emit(app, tx, event, payload) {
      for (const subscriber of subscribers.get(event.name) ?? []) await subscriber(app, tx, payload as never);
    },
  };
}
