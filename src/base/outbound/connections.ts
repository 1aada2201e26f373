import { Client } from 'undici';
import { monotonicMs } from '../clock.ts';
import { type ConnectorOptions, createConnector } from './connector.ts';

/** A connection attempt outlives a request that was given up; this ends it. Not less than webhooks may take in all. */
const CONNECT_TIMEOUT_MS = 30_000;
/** Idle connections go after this. Servers mostly keep 5 s and more. */
const KEEP_ALIVE_MS = 4_000;
/** A server's own `Keep-Alive: timeout=…` is followed up to here. */
const KEEP_ALIVE_MAX_MS = 60_000;
/** A busy connection is renewed after this, so that a name that moved is resolved, and judged, again. */
const CONNECTION_LIFETIME_MS = 300_000;

export type ConnectionsOptions = Omit<ConnectorOptions, 'connectTimeoutMs'> & {
  /** How many connections one origin may have; further requests wait for one, and their time-outs run. */
  connectionsPerOrigin: number;
  lifetimeMs?: number;
};

/** A connection that is lent to one request at a time. Whoever has it ends that by one of the two, once. */
export type Connection = {
  readonly client: Client;
  /** The response has ended. */
  giveBack(): void;
  /** The request failed, or may have left the connection in the middle of something. */
  discard(): void;
};

/** Who wants a connection. */
export type Borrower = {
  /** It does not want one any more. */
  readonly isOver: boolean;
  begin(connection: Connection): void;
  /** There will be none: all are closed. */
  refuse(): void;
};

export type Connections = {
  /** Lends a connection to an origin, now or when there is one; who waits longer is first. */
  lend(origin: string, borrower: Borrower): void;
  /** Closes all, and fails what is in flight. */
  destroy(): Promise<void>;
};

/** The connections to one origin. */
type Place = { lend(borrower: Borrower): void; destroy(): Promise<unknown> };

/**
 * Keep-alive connections by origin, made by parley's connector. By hand from undici's clients, because its pool goes through all
 * connections of an origin twice for each request, reading the clock for each to see how old it is: with 32 of them a fifteenth of what a
 * webhook costs.
 */
export function createConnections(options: ConnectionsOptions): Connections {
  const { connectionsPerOrigin: most, lifetimeMs = CONNECTION_LIFETIME_MS, ...connecting } = options;
  const connect = createConnector({ ...connecting, connectTimeoutMs: CONNECT_TIMEOUT_MS });
  const places = new Map<string, Place>();
  const open = (origin: string): Client =>
    new Client(origin, {
      connect,
      keepAliveTimeout: KEEP_ALIVE_MS,
      keepAliveMaxTimeout: KEEP_ALIVE_MAX_MS,
      // The exchange's one timer covers these phases.
      headersTimeout: 0,
      bodyTimeout: 0,
      allowH2: false,
    });
  const placeOf = (origin: string): Place => {
    const place = createPlace({ most, lifetimeMs, open: () => open(origin), emptied: () => places.delete(origin) });
    places.set(origin, place);
    return place;
  };
  return {
    lend: (origin, borrower) => (places.get(origin) ?? placeOf(origin)).lend(borrower),
    async destroy() {
      await Promise.all([...places.values()].map((place) => place.destroy()));
    },
  };
}

type PlaceOptions = { most: number; lifetimeMs: number; open: () => Client; emptied: () => void };

function createPlace({ most, lifetimeMs, open, emptied }: PlaceOptions): Place {
  const all = new Set<Connection>();
  /** The one used last is used next: what is not needed gets old and closes. */
  const idle: Connection[] = [];
  const waiting: Borrower[] = [];

  function make(): Connection {
    const client = open();
    let madeAt = monotonicMs();
    const connection: Connection = {
      client,
      giveBack() {
        if (monotonicMs() - madeAt >= lifetimeMs) return connection.discard();
        const next = nextWaiting();
        if (next) next.begin(connection);
        else idle.push(connection);
      },
      discard() {
        all.delete(connection);
        queueMicrotask(() => void client.destroy()); // undici may be about to go on with it
        const next = nextWaiting();
        if (next) next.begin(make());
        else if (all.size === 0) emptied();
      },
    };
    client.on('connect', () => {
      madeAt = monotonicMs();
    });
    // What is lent and loses its socket fails, or gets another one.
    client.on('disconnect', () => {
      const index = idle.indexOf(connection);
      if (index === -1) return;
      idle.splice(index, 1);
      connection.discard();
    });
    all.add(connection);
    return connection;
  }

  function nextWaiting(): Borrower | undefined {
    let next = waiting.shift();
    while (next?.isOver === true) next = waiting.shift();
    return next;
  }

  return {
    lend(borrower) {
      const connection = idle.pop() ?? (all.size < most ? make() : undefined);
      if (connection) borrower.begin(connection);
      else waiting.push(borrower);
    },
    destroy() {
      for (const borrower of waiting.splice(0)) borrower.refuse();
      return Promise.all([...all].map(({ client }) => client.destroy()));
    },
  };
}
