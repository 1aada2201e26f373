import { headerValues, type Request } from '../message/message.ts';
import { parseVia } from '../message/via.ts';
import { type Hop, isReliable } from './hop.ts';

const defaultPort = ({ transport }: Hop): number => (transport === 'tls' ? 5061 : 5060);

/** The port at which the sender of a request wants its answers; null where its Via names none. */
const viaPort = (request: Request): number | null => parseVia(headerValues(request, 'Via')[0]!)!.port || null;

const asksForSourcePort = (request: Request): boolean =>
  parseVia(headerValues(request, 'Via')[0]!)!.parameters.has('rport');

/**
 * Where the answers to a request go (RFC 3261, section 18.2.2, and RFC 3581): over UDP to the address that it came from, at the port that it
 * came from where Via has `rport`, else at the port of Via. `maddr` is not followed, since it would let a caller choose whom we write to.
 */
export function replyHop(request: Request, from: Hop): Hop {
  if (isReliable(from) || asksForSourcePort(request)) return from;
  return { ...from, port: viaPort(request) ?? defaultPort(from) };
}

/** Where an answer goes when the connection that the request came over is gone; undefined over UDP. */
export const replyHopWithoutConnection = (request: Request, from: Hop): Hop | undefined =>
  isReliable(from) ? { ...from, port: viaPort(request) ?? defaultPort(from), isTheirs: false } : undefined;
