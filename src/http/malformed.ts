import type { Server } from 'node:http';
import type { Duplex } from 'node:stream';

/** What Node says of what is no HTTP, and what that is answered with; the status is Node's own. */
const answers: Readonly<Record<string, { status: string; message: string }>> = {
  HPE_HEADER_OVERFLOW: {
    status: '431 Request Header Fields Too Large',
    message: 'The address and headers are too long.',
  },
  ERR_HTTP_REQUEST_TIMEOUT: { status: '408 Request Timeout', message: 'The request did not arrive in time.' },
};
const malformed = { status: '400 Bad Request', message: 'This is not HTTP.' };

/** Answers what never becomes a request in the envelope too (contract, section 1), instead of with an empty body. */
export function answerMalformed(server: Server): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy(error);
      return;
    }
    const { status, message } = answers[error.code ?? ''] ?? malformed;
    const body = JSON.stringify({ success: false, message, code: 'INVALID_REQUEST' });
    const headers = ['Content-Type: application/json; charset=utf-8', `Content-Length: ${Buffer.byteLength(body)}`];
    socket.end([`HTTP/1.1 ${status}`, ...headers, 'Connection: close', '', body].join('\r\n'));
  });
}
