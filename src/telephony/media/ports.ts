import { createSocket, type Socket } from 'node:dgram';
import { isIPv4, isIPv6 } from 'node:net';
import { NoFreePort } from './session.ts';

/** The sockets of a call: RTP on an even port, RTCP on the next one (RFC 3550, section 11); without RTCP if that port is taken. */
export type PortPair = { port: number; rtp: Socket; rtcp: Socket | undefined; close(): void };

/** Even ports of calls, taken one after the other, so that late packets of an ended call do not reach the next one. */
export type Ports = {
  /** @throws NoFreePort */
  open(): Promise<PortPair>;
};

/** IP literals only, so nothing is looked up: Node's own `lookup` would delay each packet by a tick of the event loop. */
const noLookup = (mapped: boolean) =>
  ((address: string, _options: unknown, callback: (error: null, address: string, family: number) => void) =>
    callback(null, mapped && isIPv4(address) ? `::ffff:${address}` : address, mapped ? 6 : 4)) as never;

async function bind(host: string, port: number): Promise<Socket> {
  const type = isIPv6(host) ? 'udp6' : 'udp4';
  const socket = createSocket({ type, lookup: noLookup(type === 'udp6') });
  const { promise, resolve, reject } = Promise.withResolvers<Socket>();
  socket.once('error', reject);
  socket.bind({ address: host, port, exclusive: true }, () => {
    socket.off('error', reject);
    resolve(socket);
  });
  try {
    return await promise;
  } catch (error) {
    socket.close();
    throw error;
  }
}

const isTaken = (error: unknown): boolean =>
  ['EADDRINUSE', 'EACCES'].includes((error as NodeJS.ErrnoException).code ?? '');

async function bindIfFree(host: string, port: number): Promise<Socket | undefined> {
  try {
    return await bind(host, port);
  } catch (error) {
    if (isTaken(error)) return undefined;
    throw error;
  }
}

export function createPorts(host: string, portMin: number, portMax: number): Ports {
  const first = portMin + (portMin % 2);
  const count = Math.max(0, Math.floor((portMax - first) / 2) + 1);
  const taken = new Set<number>();
  let next = 0;

  function nextCandidate(): number {
    const port = first + next * 2;
    next = (next + 1) % count;
    return port;
  }

  /** `close` frees the port only when the sockets are closed. */
  function pairOf(port: number, rtp: Socket, rtcp: Socket | undefined): PortPair {
    const close = (): void => {
      rtcp?.close();
      rtp.close(() => taken.delete(port));
    };
    return { port, rtp, rtcp, close };
  }

  async function openAt(port: number): Promise<PortPair | undefined> {
    taken.add(port);
    try {
      const rtp = await bindIfFree(host, port);
      if (rtp) return pairOf(port, rtp, port < 65_535 ? await bindIfFree(host, port + 1) : undefined);
    } catch (error) {
      taken.delete(port);
      throw error;
    }
    taken.delete(port);
    return undefined;
  }

  return {
    async open() {
      for (let tries = 0; tries < count; tries += 1) {
        const port = nextCandidate();
        const pair = taken.has(port) ? undefined : await openAt(port);
        if (pair) return pair;
      }
      throw new NoFreePort(portMin, portMax);
    },
  };
}
