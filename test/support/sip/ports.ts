import { createSocket } from 'node:dgram';

export type PortRange = { portMin: number; portMax: number };

/** These ports are below those that systems give to sockets that ask for any port, so that no other program gets one by chance. */
const [first, last] = [20_000, 32_000];
const rangeSize = 200;
const ranges = (last - first) / rangeSize;
let next = process.pid % ranges;

/**
 * Tries to take a range of ports. Its first port then stays bound for the life of the process, which keeps other processes from taking the
 * range.
 */
async function isFree(guard: number): Promise<boolean> {
  const socket = createSocket('udp4').unref();
  const { promise, resolve } = Promise.withResolvers<boolean>();
  socket.once('error', () => {
    socket.close();
    resolve(false);
  });
  socket.bind({ address: '127.0.0.1', port: guard, exclusive: true }, () => resolve(true));
  return promise;
}

/** Takes a range of ports for the sound of calls, which no other test uses while this process lives. `portMin` is even. */
export async function portRange(): Promise<PortRange> {
  for (let tries = 0; tries < ranges; tries += 1) {
    const guard = first + next * rangeSize;
    next = (next + 1) % ranges;
    if (await isFree(guard)) return { portMin: guard + 2, portMax: guard + rangeSize - 1 };
  }
  throw new Error(`Every range of ports from ${first} to ${last} is in use.`);
}
