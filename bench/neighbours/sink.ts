/** A web server whose answers hang, drip, fail or never end, in a process of its own. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { serveParent } from '../support/child.ts';

const megabyte = Buffer.alloc(1_048_576, 'x');
const server = createServer((request, response) => {
  request.resume();
  const [, kind] = (request.url ?? '').split('/');
  if (kind === 'hang') return;
  if (kind === 'fail') return void response.writeHead(500).end();
  if (kind === 'quick') return void response.end('ok');
  response.writeHead(200);
  const timer = setInterval(() => response.write(kind === 'drip' ? 'x' : megabyte), kind === 'drip' ? 500 : 5);
  response.once('close', () => clearInterval(timer));
});
server.listen(0, '127.0.0.1', () => serveParent({ port: (server.address() as AddressInfo).port }, () => ({})));
