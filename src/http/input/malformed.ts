import { randomUUID } from 'node:crypto';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { systemClock } from '../../base/clock.ts';
import { AppError } from '../../base/errors.ts';
import { STATUS_CODES } from '../../base/http.ts';
import type { App } from '../../kernel/app.ts';
import { errorAnswer } from '../output/errors.ts';
import { securityHeadersOf } from '../output/security-headers.ts';

/** What Node says of what never becomes a request. */
const refusals: Readonly<Record<string, AppError>> = {
  HPE_HEADER_OVERFLOW: new AppError('headers_too_large', 'The address and headers are too long.'),
  HPE_CHUNK_EXTENSIONS_OVERFLOW: new AppError('too_large', 'The extensions of a chunk are too long.'),
  ERR_HTTP_REQUEST_TIMEOUT: new AppError('request_timeout', 'The request did not arrive in time.'),
};
const noHttp = new AppError('invalid', 'This is not HTTP.');
const noProxy = new AppError('method_not_allowed', 'This server is no proxy: CONNECT is not possible.');

/** Real time in which the other side can read why it was refused before its connection is cut. */
const usualLingerMs = 2000;

/** Answers what never becomes a request in the envelope too (contract, section 1), instead of with an empty body or none. */
export function answerMalformed(app: App, server: Server, { lingerMs = usualLingerMs } = {}): void {
  const underWay = responsesOf(server);
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    if (!socket.writable) return; // refused already, or gone
    if (error.code === 'ECONNRESET' || underWay(socket).some(isInTheWay)) socket.destroy();
    else refuse(app, socket, refusals[error.code ?? ''] ?? noHttp, lingerMs);
  });
  server.on('connect', (_request, socket) => refuse(app, socket, noProxy, lingerMs));
  // With a listener Node leaves it to the request's own answer, which is `judgeHead`'s.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
}

/**
 * What Node would refuse by itself, with an empty body, if it were not told to leave it to the request's own answer.
 * @throws invalid without a Host (RFC 9112, section 3.2), expectation_failed for an Expect but 100-continue (RFC 9110, section 10.1.1)
 */
export function judgeHead({ httpVersion, headers }: IncomingMessage): void {
  if (httpVersion === '1.1' && headers.host === undefined) {
    throw new AppError('invalid', 'A request of HTTP/1.1 needs a Host header.');
  }
  if (headers.expect !== undefined && headers.expect.toLowerCase() !== '100-continue') {
    throw new AppError('expectation_failed', 'No expectation but 100-continue can be met.', {
      headers: { Connection: 'close' },
    });
  }
}

/** An answer that has begun, or one to a whole request, whose place a refusal would take. */
const isInTheWay = (response: ServerResponse): boolean => response.headersSent || response.req.complete;

/** Keeps count of a server's answers from here on; what is under way on a connection. */
function responsesOf(server: Server): (socket: Duplex) => ServerResponse[] {
  const underWay = new WeakMap<Duplex, Set<ServerResponse>>();
  server.prependListener('request', ({ socket }, response) => {
    const responses = underWay.get(socket) ?? new Set();
    underWay.set(socket, responses.add(response));
    response.once('close', () => responses.delete(response));
  });
  return (socket) => [...(underWay.get(socket) ?? [])];
}

function refuse(app: App, socket: Duplex, error: AppError, lingerMs: number): void {
  const requestId = randomUUID();
  const { status, body } = errorAnswer(error, requestId, app.log);
  const text = JSON.stringify(body);
  const headers = new Map([
    ...securityHeadersOf(app.config),
    ['Content-Type', 'application/json; charset=utf-8'],
    ['Content-Length', String(Buffer.byteLength(text))],
    ['X-Request-Id', requestId],
    ['Connection', 'close'],
  ]);
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    ...[...headers].map(([name, value]) => `${name}: ${value}`),
  ];
  socket.on('error', () => undefined); // the other side went without reading it
  socket.end([...head, '', text].join('\r\n'));
  const clock = systemClock();
  socket.once(
    'close',
    clock.alarm(clock.now() + lingerMs, () => socket.destroy()),
  );
  app.log.info({ requestId, status }, 'no request');
}
