import type { Dispatcher } from 'undici';
import Pool from 'undici/lib/dispatcher/pool.js';
import { monotonicMs } from '../clock.ts';
import { type ConnectorOptions, createConnector } from './connector.ts';

/** Ends a connection attempt whose request has given up. Not less than a webhook's time-out, or it would cut that short. */
const CONNECT_TIMEOUT_MS = 30_000;
/** Idle connections close after this. Most servers keep them for 5 s or more, so we close first and never send on a closing one. */
const KEEP_ALIVE_MS = 4_000;
/** A server may ask for longer with `Keep-Alive: timeout=…`, up to this. */
const KEEP_ALIVE_MAX_MS = 60_000;
/** A pool is replaced after this, so that a busy origin's name is resolved, and its addresses are checked, again. */
const POOL_LIFETIME_MS = 300_000;

export type PoolsOptions = Omit<ConnectorOptions, 'connectTimeoutMs'> & {
  /** Connections per origin; further requests queue for one, and their time-outs run meanwhile. */
  connectionsPerOrigin: number;
  poolLifetimeMs?: number;
};

export type Pools = {
  /** Sends a request to an origin on a keep-alive connection; the handler gets the response or the failure. */
  dispatch(origin: string, options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): void;
  /** Closes every connection; requests that are queued or in flight fail. */
  destroy(): Promise<void>;
  /** How many pools are open; the tests check that unused ones are forgotten. */
  openPools(): number;
};

type OriginPool = { pool: Pool; openedAt: number };

/**
 * Keep-alive connections by origin, in undici's pools. A pool is renewed as a whole: undici's own `clientTtl` reads the clock for every
 * connection of the origin at each request, which costs a fifteenth of a delivery with 32 connections.
 */
export function createPools(options: PoolsOptions): Pools {
  const { connectionsPerOrigin, poolLifetimeMs = POOL_LIFETIME_MS, ...connecting } = options;
  const connect = createConnector({ ...connecting, connectTimeoutMs: CONNECT_TIMEOUT_MS });
  const current = new Map<string, OriginPool>();
  /** The current pools, and retired ones that are finishing their last requests. */
  const open = new Set<Pool>();

  function retire(origin: string, pool: Pool): void {
    if (pool.closed || pool.destroyed) return;
    current.delete(origin);
    void pool.close().then(() => open.delete(pool));
  }

  function openPool(origin: string): OriginPool {
    const pool = new Pool(origin, {
      connect,
      connections: connectionsPerOrigin,
      keepAliveTimeout: KEEP_ALIVE_MS,
      keepAliveMaxTimeout: KEEP_ALIVE_MAX_MS,
      // The exchange's one timer covers these phases.
      headersTimeout: 0,
      bodyTimeout: 0,
      allowH2: false,
    });
    // Forget an origin once it has no connections left: crawled pages come from any number of hosts.
    const retireIfUnused = (): void => {
      const { connected, size } = pool.stats;
      if (connected === 0 && size === 0) retire(origin, pool);
    };
    pool.on('disconnect', retireIfUnused).on('connectionError', retireIfUnused);
    open.add(pool);
    const made = { pool, openedAt: monotonicMs() };
    current.set(origin, made);
    return made;
  }

  return {
    dispatch(origin, request, handler) {
      let known = current.get(origin);
      if (known && monotonicMs() - known.openedAt >= poolLifetimeMs) {
        retire(origin, known.pool);
        known = undefined;
      }
      (known ?? openPool(origin)).pool.dispatch(request, handler);
    },
    async destroy() {
      await Promise.all([...open].map((pool) => pool.destroy()));
    },
    openPools: () => open.size,
  };
}
