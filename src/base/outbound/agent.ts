import { Agent } from 'undici';
import { type ConnectorOptions, createConnector } from './connector.ts';

/** A connection attempt outlives a request that was given up; this ends it. Not less than webhooks may take in all. */
const CONNECT_TIMEOUT_MS = 30_000;
/** Idle connections go after this, and an origin's pool with its last one. Servers mostly keep 5 s and more. */
const KEEP_ALIVE_MS = 4_000;
/** A server's own `Keep-Alive: timeout=…` is followed up to here. */
const KEEP_ALIVE_MAX_MS = 60_000;
/** A busy connection is renewed after this, so that a name that moved is resolved, and judged, again. */
const CONNECTION_LIFETIME_MS = 300_000;

export type AgentOptions = Omit<ConnectorOptions, 'connectTimeoutMs'> & {
  /** How many connections one origin may have; further requests wait for one, and their time-outs run. */
  connectionsPerOrigin: number;
};

/** undici's pools of keep-alive connections, made by parley's connector. */
export const createAgent = ({ connectionsPerOrigin, ...connecting }: AgentOptions): Agent =>
  new Agent({
    connect: createConnector({ ...connecting, connectTimeoutMs: CONNECT_TIMEOUT_MS }),
    connections: connectionsPerOrigin,
    clientTtl: CONNECTION_LIFETIME_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    keepAliveMaxTimeout: KEEP_ALIVE_MAX_MS,
    // The exchange's one timer covers these phases.
    headersTimeout: 0,
    bodyTimeout: 0,
    allowH2: false,
  });
