import type { LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import type tls from 'node:tls';
import { buildConnector } from 'undici';
import { OutboundError, detailOf } from './errors.ts';
import { trust } from './trust.ts';

/** The part of `dns.lookup` that is used: every address of a name, at once. */
export type Resolver = (
  hostname: string,
  options: { all: true },
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

export type ConnectorOptions = {
  resolver: Resolver;
  /** Whether a connection for this host may go to this address; asked for literal addresses and resolved ones alike. */
  permits: (host: string, address: string) => boolean;
  /** Default: the runtime's own certificates are trusted. */
  secureContext?: tls.SecureContext | undefined;
  connectTimeoutMs: number;
};

/** How long one address may take before the next one of the same name is tried beside it (RFC 8305; Node: 250 ms). */
const NEXT_ADDRESS_AFTER_MS = 1000;

/**
 * A `lookup` for sockets that resolves once and hands on the permitted addresses only. The socket connects to what it
 * is handed and never asks again, so nothing can change between judging and connecting.
 */
function judgedLookup({ resolver, permits }: ConnectorOptions): LookupFunction {
  // `autoSelectFamily` makes sockets ask for all addresses: the answer is always a list.
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

/** Names no address: what an inner name resolves to is nothing to tell the outside. */
function refusal(host: string): OutboundError {
  return new OutboundError('refused_address', `Nothing was sent: ${host} is not at a public address.`);
}

/** Says in which phase a connection failed. */
function connectError(error: Error, host: string, wasConnected: boolean): OutboundError {
  if (error instanceof OutboundError) return error;
  const code = (error as NodeJS.ErrnoException).code;
  const cause = { cause: error };
  if (code === 'UND_ERR_CONNECT_TIMEOUT') {
    return new OutboundError('timeout', `No connection to ${host} came about in time.`, cause);
  }
  return wasConnected
    ? new OutboundError('tls', `The TLS handshake with ${host} failed: ${detailOf(error)}.`, cause)
    : new OutboundError('connect', `Could not connect to ${host}: ${detailOf(error)}.`, cause);
}

/**
 * How undici opens its connections: undici's own connector, behind the guard. Literal addresses are judged here because
 * sockets skip `lookup` for them; names inside it. Host header, SNI and the certificate's name stay the URL's.
 * Fails with an OutboundError.
 */
export function createConnector(options: ConnectorOptions): buildConnector.connector {
  const connect = buildConnector({
    secureContext: options.secureContext ?? trust(),
    lookup: judgedLookup(options),
    timeout: options.connectTimeoutMs,
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: NEXT_ADDRESS_AFTER_MS,
    allowH2: false,
  }) as (...args: Parameters<buildConnector.connector>) => tls.TLSSocket; // the type hides that it returns the socket

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
