import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { serveParent } from './child.ts';

/**
 * The baseline of live streams: node:http alone writes one event a second to every stream, without keys, topics, a database or a campaign.
 * Arguments: bytes of an event, bytes of the answer to any other request.
 */
const [eventBytes = 0, answerBytes = 0] = process.argv.slice(2).map(Number);
const event = Buffer.from(`event: campaign\ndata: "${'x'.repeat(eventBytes)}"\n\n`);
const answer = JSON.stringify('x'.repeat(answerBytes));

const streams = new Set<ServerResponse>();
const server = createServer((request, response) => {
  if (!request.url?.startsWith('/api/v1/live')) {
    response.setHeader('Content-Type', 'application/json');
    response.end(answer);
    return;
  }
  response.setHeader('Content-Type', 'text/event-stream');
  response.write(event);
  streams.add(response);
  response.once('close', () => streams.delete(response));
});
setInterval(() => {
  for (const stream of streams) if (!stream.writableNeedDrain) stream.write(event);
}, 1000);
server.listen(0, '127.0.0.1', () => {
  serveParent({ port: (server.address() as AddressInfo).port }, () => ({}));
});
