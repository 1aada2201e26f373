import { headerValues, type Request } from '../message/message.ts';
import { parseVia, type Via } from '../message/via.ts';
import { type Hop, isReliable } from './hop.ts';
import { defaultPort } from './resolve.ts';

const topVia = (request: Request): Via => parseVia(headerValues(request, 'Via')[0]!)!;

/** The address that a request came from, at the port at which its Via wants answers. */
const viaHop = (request: Request, from: Hop): Hop => ({
  ...from,
  port: topVia(request).port || defaultPort(from.transport),
});

/**
 * Where the answers to a request go (RFC 3261, section 18.2.2, and RFC 3581): over UDP to the address that it came from, at the port that it
 * came from where Via has `rport`, else at the port of Via. `maddr` is not followed, since it would let a caller choose whom we write to.
 */
export const replyHop = (request: Request, from: Hop): Hop =>
  isReliable(from) || topVia(request).parameters.has('rport') ? from : viaHop(request, from);

/** Where an answer goes when the connection that the request came over is gone; undefined over UDP. */
export const replyHopWithoutConnection = (request: Request, from: Hop): Hop | undefined =>
  isReliable(from) ? { ...viaHop(request, from), isTheirs: false } : undefined;
