import type { Tx } from '../db/transaction.ts';
import type { App } from './app.ts';

/** A thing that happened, told inside the transaction in which it happened. The token carries the payload's type. */
export type DomainEvent<P> = { readonly name: string; readonly payload?: P };
export const domainEvent = <P>(name: string): DomainEvent<P> => ({ name });

type Subscriber<P> = (app: App, tx: Tx, payload: P) => Promise<void>;

export type Events = {
  on<P>(event: DomainEvent<P>, subscriber: Subscriber<P>): void;
  /** Runs the subscribers one after the other, in the order in which main.ts wired them, in the caller's transaction. */
  emit<P>(app: App, tx: Tx, event: DomainEvent<P>, payload: P): Promise<void>;
};

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
