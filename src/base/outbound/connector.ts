import { isIP, type LookupFunction } from 'node:net';
import type tls from 'node:tls';
import type { buildConnector } from 'undici';
import createUndiciConnector from 'undici/lib/core/connect.js';
import { OutboundError, detailOf } from './errors.ts';
import type { Resolver } from './resolver.ts';
import { trust } from './trust.ts';

export type ConnectorOptions = {
  resolver: Resolver;
  /** Whether a connection for this host may go to this address. Called for literal and for resolved addresses. */
  permits: (host: string, address: string) => boolean;
  /** Default: trusts the runtime's own certificates. */
  secureContext?: tls.SecureContext | undefined;
  connectTimeoutMs: number;
};

/** How long one address of a name may take before the next is tried in parallel (RFC 8305, Happy Eyeballs; Node's default is 250 ms). */
const NEXT_ADDRESS_AFTER_MS = 1000;

/**
 * A `lookup` for sockets that resolves a name once and passes on only the permitted addresses. The socket connects to one of those
 * without resolving again, so DNS rebinding cannot slip another address in between the check and the connection.
 */
function guardedLookup({ resolver, permits }: ConnectorOptions): LookupFunction {
  // With `autoSelectFamily` sockets ask for all addresses, so the result is always a list.
  return (hostname, _options, callback) => {
    resolver(hostname, { all: true }, (error, addresses) => {
      if (error !== null || addresses.length === 0) {
        const detail = error === null ? 'it has no address' : detailOf(error);
        const message = `The name ${hostname} could not be resolved: ${detail}.`;
        callback(new OutboundError('dns', message, { cause: error ?? undefined }), []);
        return;
      }
      const permitted = addresses.filter(({ address }) => permits(hostname, address));
      callback(permitted.length === 0 ? refusal(hostname) : null, permitted);
    });
  };
}

/** Does not name the address: what an internal name resolves to must not leak to the outside. */
function refusal(host: string): OutboundError {
  return new OutboundError('refused_address', `Nothing was sent: ${host} is not at a public address.`);
}

/** The error for a failed connection; says whether TCP or TLS failed. */
function connectError(error: Error, host: string, wasConnected: boolean): OutboundError {
  if (error instanceof OutboundError) return error;
  const code = (error as NodeJS.ErrnoException).code;
  const cause = { cause: error };
  if (code === 'UND_ERR_CONNECT_TIMEOUT') {
    return new OutboundError('timeout', `No connection to ${host} was made in time.`, cause);
  }
  return wasConnected
    ? new OutboundError('tls', `The TLS handshake with ${host} failed: ${detailOf(error)}.`, cause)
    : new OutboundError('connect', `Could not connect to ${host}: ${detailOf(error)}.`, cause);
}

/**
 * undici's own connector behind the guard. Names are checked in `lookup`, literal addresses here, because sockets skip `lookup` for
 * them. The Host header, SNI and the certificate check keep the URL's name. Fails with an OutboundError.
 */
export function createConnector(options: ConnectorOptions): buildConnector.connector {
  const connect = createUndiciConnector({
    secureContext: options.secureContext ?? trust(),
    rejectUnauthorized: true, // said here, so that NODE_TLS_REJECT_UNAUTHORIZED=0 does not switch it off
    lookup: guardedLookup(options),
    timeout: options.connectTimeoutMs,
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: NEXT_ADDRESS_AFTER_MS,
    allowH2: false,
  }) as (...args: Parameters<buildConnector.connector>) => tls.TLSSocket; // undici's type omits that it returns the socket

  return (target, callback) => {
    const { hostname, host = hostname } = target;
    if (isIP(hostname) !== 0 && !options.permits(hostname, hostname)) {
      callback(refusal(hostname), null);
      return;
    }
    let wasConnected = false;
    const socket = connect(target, (...[error, opened]) => {
      if (error === null) callback(null, opened);
      else callback(connectError(error, host, wasConnected), null);
    });
    socket.once('connect', () => {
      wasConnected = true;
    });
  };
}
