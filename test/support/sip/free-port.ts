import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { createServer } from 'node:net';

/**
 * A port that was free a moment ago for UDP and TCP on loopback. It lies below the ports that the system hands out by itself, and below
 * those of sound, so that nobody takes it before the server does.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(5100, 10_000);
    if ((await isFreeForUdp(port)) && (await isFreeForTcp(port))) return port;
  }
}

async function isFreeForUdp(port: number): Promise<boolean> {
  const socket = createSocket('udp4');
  const isFree = await new Promise<boolean>((resolve) => {
    socket.once('error', () => resolve(false));
    socket.bind(port, '127.0.0.1', () => resolve(true));
  });
  await new Promise<void>((resolve) => socket.close(() => resolve()));
  return isFree;
}

async function isFreeForTcp(port: number): Promise<boolean> {
  const server = createServer();
  const isFree = await new Promise<boolean>((resolve) => {
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => resolve(true));
  });
  if (isFree) await new Promise<void>((resolve) => server.close(() => resolve()));
  return isFree;
}
