/** A web server whose answers hang, drip, fail or never end, in a process of its own. */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { serveParent } from '../support/child.ts';

const megabyte = Buffer.alloc(1_048_576, 'x');
/** Sends an endless body as fast as the client reads it. */
function flood(response: ServerResponse): void {
  const goOn = (): void => void (response.destroyed || response.write(megabyte));
  response.on('drain', goOn);
  goOn();
}

const server = createServer((request, response) => {
  request.resume();
  const [, kind] = (request.url ?? '').split('/');
  if (kind === 'hang') return;
  if (kind === 'fail') return void response.writeHead(500).end();
  if (kind === 'quick') return void response.end('ok');
  response.writeHead(200);
  if (kind === 'enormous') return flood(response);
  const timer = setInterval(() => response.write('x'), 500);
  response.once('close', () => clearInterval(timer));
});
server.listen(0, '127.0.0.1', () => serveParent({ port: (server.address() as AddressInfo).port }, () => ({})));
