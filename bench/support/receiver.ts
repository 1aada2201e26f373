import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { serveParent } from './child.ts';

/**
 * A webhook receiver that does as little as possible: it reads each body to its end, answers 200, and counts. Paths that begin with
 * `/slow` are answered after 50 ms.
 */
const slowMs = 50;
let received = 0;
let signed = 0;
let bytes = 0;

const server = createServer((request, response) => {
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
  });
  request.on('end', () => {
    received += 1;
    if (String(request.headers['webhook-signature']).startsWith('v1,')) signed += 1;
    const answer = (): unknown => response.writeHead(200, { 'content-length': 0 }).end();
    if (request.url?.startsWith('/slow')) setTimeout(answer, slowMs);
    else answer();
  });
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => {
  serveParent({ port: (server.address() as AddressInfo).port }, () => {
    const figures = { received, signed, bytes };
    received = signed = bytes = 0;
    return figures;
  });
});
