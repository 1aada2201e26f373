import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { serveParent } from './child.ts';

/**
 * Opens live streams and reads them, except for the first `silent` ones, which it leaves unread. Arguments: port, path, streams per key,
 * number of unread streams, keys.
 */
const [port, path, perKey, silent, ...keys] = process.argv.slice(2) as [string, string, string, string, ...string[]];

let bytes = 0;

/** Resolves when the first event has come. */
async function watch(key: string, isSilent: boolean): Promise<Socket> {
  const socket = connect(Number(port), '127.0.0.1');
  await once(socket, 'connect');
  socket.write(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Api-Key: ${key}\r\n\r\n`);
  let head = '';
  while (!head.includes('event: ')) head += String((await once(socket, 'data'))[0]);
  if (!head.startsWith('HTTP/1.1 200')) throw new Error(head);
  if (isSilent) socket.pause();
  else socket.on('data', (chunk) => void (bytes += chunk.length));
  return socket;
}

const owners = keys.flatMap((key) => Array.from({ length: Number(perKey) }, () => key));
for (const [index, key] of owners.entries()) await watch(key, index < Number(silent));
serveParent({ streams: owners.length }, () => {
  const figures = { bytes };
  bytes = 0;
  return figures;
});
