import { createSocket, type Socket } from 'node:dgram';

export type PortRange = { portMin: number; portMax: number };

/** These ports are below those that systems give to sockets that ask for any port, so that no other program gets one by chance. */
const [first, last] = [20_000, 32_000];
const rangeSize = 200;
const ranges = (last - first) / rangeSize;
let next = process.pid % ranges;

/** Takes a port for the life of the process, which keeps other processes from taking the range that begins with it. */
async function guardAt(port: number): Promise<Socket | undefined> {
  const socket = createSocket('udp4').unref();
  const { promise, resolve } = Promise.withResolvers<Socket | undefined>();
  socket.once('error', () => {
    socket.close();
    resolve(undefined);
  });
  socket.bind({ address: '127.0.0.1', port, exclusive: true }, () => resolve(socket));
  return promise;
}

/** Takes neighbouring ranges; undefined if one of them is in use. */
async function rangesAt(start: number, count: number): Promise<PortRange | undefined> {
  const guards: Socket[] = [];
  for (let range = 0; range < count; range += 1) {
    const guard = await guardAt(first + (start + range) * rangeSize);
    if (guard === undefined) {
      for (const taken of guards) taken.close();
      return undefined;
    }
    guards.push(guard);
  }
  const from = first + start * rangeSize;
  return { portMin: from + 2, portMax: from + count * rangeSize - 1 };
}

/**
 * Takes ports for the sound of 99 calls, or of about `calls`, which no other test uses while this process lives. `portMin` is even.
 */
export async function portRange(calls = rangeSize / 2): Promise<PortRange> {
  const count = Math.ceil((2 * calls) / rangeSize);
  for (let tries = 0; tries < ranges; tries += 1) {
    const start = next;
    next = (next + 1) % ranges;
    const found = start + count <= ranges ? await rangesAt(start, count) : undefined;
    if (found) {
      next = (start + count) % ranges;
      return found;
    }
  }
  throw new Error(`Every range of ports from ${first} to ${last} is in use.`);
}
