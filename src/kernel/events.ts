import type { DomainEvent, Events, Subscriber } from './app.ts';

export const domainEvent = <P>(name: string): DomainEvent<P> => ({ name });

/**
 * The one deliberate indirection: calls know neither campaigns nor webhooks, yet ending a call moves the campaign contact and
 * writes the deliveries in the same transaction.
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
