import { randomUUID } from 'node:crypto';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { systemClock } from '../../base/clock.ts';
import { AppError } from '../../base/errors.ts';
import { STATUS_CODES } from '../../base/http.ts';
import type { App } from '../../kernel/app.ts';
import { errorAnswer } from '../output/errors.ts';
import { securityHeadersOf } from '../output/security-headers.ts';
import { pendingResponsesOf } from '../pending.ts';

/** Answers by the code of Node's `clientError`. */
const errorsByCode: Readonly<Record<string, AppError>> = {
  HPE_HEADER_OVERFLOW: new AppError('headers_too_large', 'The address and headers are too long.'),
  HPE_CHUNK_EXTENSIONS_OVERFLOW: new AppError('too_large', 'The extensions of a chunk are too long.'),
  ERR_HTTP_REQUEST_TIMEOUT: new AppError('request_timeout', 'The request did not arrive in time.'),
};
const notHttp = new AppError('invalid', 'This is not a valid HTTP request.');
const notProxy = new AppError('method_not_allowed', 'This server is not a proxy, so CONNECT is not allowed.');

/** Real time that a client has to read the answer before its connection is cut. */
const defaultLingerMs = 2000;

/** Answers bytes that never become a request in the envelope, too; Node would send an empty body or close the connection. */
export function answerMalformed(app: App, server: Server, { lingerMs = defaultLingerMs } = {}): void {
  const pending = pendingResponsesOf(server);
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    if (!socket.writable) return; // already answered, or disconnected
    if (error.code === 'ECONNRESET' || pending.get(socket)?.values().some(ownsConnection)) socket.destroy();
    else refuse(app, socket, errorsByCode[error.code ?? ''] ?? notHttp, lingerMs);
  });
  server.on('connect', (_request, socket) => refuse(app, socket, notProxy, lingerMs));
  // Without this listener Node would answer 417 itself, with an empty body; `validateHead` refuses such requests.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
}

/**
 * Makes the checks of the request head that Node would otherwise answer with an empty body.
 * @throws invalid without a Host (RFC 9112, section 3.2), expectation_failed for an Expect but 100-continue (RFC 9110, section 10.1.1)
 */
export function validateHead({ httpVersion, headers }: IncomingMessage): void {
  if (httpVersion === '1.1' && headers.host === undefined) {
    throw new AppError('invalid', 'An HTTP/1.1 request needs a Host header.');
  }
  if (headers.expect !== undefined && headers.expect.toLowerCase() !== '100-continue') {
    throw new AppError('expectation_failed', 'The only supported expectation is 100-continue.', {
      headers: { Connection: 'close' },
    });
  }
}

/** True if an error written now would corrupt this response, or be taken for the answer to its complete request. */
const ownsConnection = (response: ServerResponse): boolean => response.headersSent || response.req.complete;

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
  socket.on('error', () => undefined); // the client may disconnect without reading the answer
  socket.end([...head, '', text].join('\r\n'));
  const clock = systemClock();
  socket.once(
    'close',
    clock.alarm(clock.now() + lingerMs, () => socket.destroy()),
  );
  app.log.info({ requestId, status }, 'malformed request');
}
