import { readFileSync } from 'node:fs';
import type pg from 'pg';
import { valueTypes } from './client.ts';

/** How to reach a PostgreSQL database, and how to use it. */
export type PostgresSettings = {
  /** `postgres://user@host:port/database?sslmode=…` */
  url: string;
  /** Used where the URL has none. */
  password: string | null;
  /** PEM file of the authority that signed the server's certificate. */
  caFile: string | null;
  maxConnections: number;
  preparesStatements: boolean;
  connectTimeoutMs: number;
  statementTimeoutMs: number;
};

const loopback = /^(?:localhost|127\.\d+\.\d+\.\d+|\[?::1\]?)$/;

/** The same server and settings with another database. */
export function withDatabase(url: string, database: string): string {
  const other = new URL(url);
  other.pathname = `/${database}`;
  return other.href;
}

/** What `pg` needs to connect. Nothing of it is a setting of the session, which a pooler would pass on. */
export function clientConfig({ url, password, caFile, connectTimeoutMs }: PostgresSettings): pg.ClientConfig {
  const address = new URL(url);
  const socket = address.searchParams.get('host');
  const host = socket ?? (address.hostname.replaceAll(/^\[|\]$/g, '') || 'localhost');
  const user = decodeURIComponent(address.username);
  const secret = decodeURIComponent(address.password) || password;
  return {
    host,
    ...(address.port !== '' && { port: Number(address.port) }),
    ...(user !== '' && { user }),
    ...(secret !== null && { password: secret }),
    database: decodeURIComponent(address.pathname.slice(1)) || user,
    ssl: tlsOf(address.searchParams.get('sslmode'), { host, caFile }),
    connectionTimeoutMillis: connectTimeoutMs,
    keepAlive: true,
    application_name: 'parley',
    types: valueTypes,
  };
}

function tlsOf(mode: string | null, { host, caFile }: { host: string; caFile: string | null }): pg.ClientConfig['ssl'] {
  const isNear = loopback.test(host) || host.startsWith('/');
  const wanted = mode ?? (isNear ? 'disable' : 'verify-full');
  if (wanted === 'disable') return false;
  return {
    rejectUnauthorized: wanted === 'verify-full' || caFile !== null,
    ...(caFile !== null && { ca: readFileSync(caFile, 'utf8') }),
  };
}
