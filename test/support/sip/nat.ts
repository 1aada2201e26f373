import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import type { TestContext } from 'node:test';

/** A NAT on loopback between the server and a SIP port: what is behind it is seen at another port, which may change. */
export type Nat = {
  /** Host and port, as a number's `termination_uri`. */
  uri: string;
  /** Where the other side sees the server. */
  outsidePort(): number;
  /** Forgets the mapping: from now on the server is seen at another port. */
  rebind(): Promise<void>;
};

async function bound(): Promise<Socket> {
  const socket = createSocket('udp4');
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return socket;
}

const portOf = (socket: Socket): number => socket.address().port;

export async function startNat(t: TestContext, targetPort: number): Promise<Nat> {
  const inside = await bound();
  let outside = await opened();
  /** Where the server sends from. */
  let server = 0;

  async function opened(): Promise<Socket> {
    const socket = await bound();
    socket.on('message', (bytes) => inside.send(bytes, server, '127.0.0.1'));
    return socket;
  }

  inside.on('message', (bytes, { port }) => {
    server = port;
    outside.send(bytes, targetPort, '127.0.0.1');
  });
  t.after(() => {
    inside.close();
    outside.close();
  });
  return {
    uri: `127.0.0.1:${portOf(inside)}`,
    outsidePort: () => portOf(outside),
    async rebind() {
      const former = outside;
      outside = await opened();
      former.close();
    },
  };
}
