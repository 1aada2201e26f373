import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** Stands between a node and its PostgreSQL server, and breaks the network in between. */
export type Relay = {
  port: number;
  /** Ends all connections and refuses new ones. */
  cut(): Promise<void>;
  /** Passes nothing on any more, in neither direction, and says nothing: as a firewall, or a cable that was pulled. */
  drop(): void;
  /**
   * Passes on the next COMMIT of a transaction that sent this text, and cuts its connection instead of passing the answer on. Resolves
   * then.
   */
  swallowCommitOf(text: string): Promise<void>;
  /** How many commits the server has confirmed. */
  commits(): number;
  /** How often something was sent to the server after an answer of it was read: what must have been waited for. */
  roundTrips(): number;
  /** New connections work again. Those over which nothing was passed on stay dead. */
  restore(): Promise<void>;
  stop(): Promise<void>;
};

type Pair = { client: Socket; server: Socket; isDead: boolean; isNext: boolean; hasSpoken: boolean };

/** The server's answer to COMMIT. */
const committed = 'COMMIT\0';

function occurrences(bytes: Buffer, text: string): number {
  let count = 0;
  for (let at = bytes.indexOf(text); at !== -1; at = bytes.indexOf(text, at + text.length)) count += 1;
  return count;
}

/** @param target the folder of the server's socket */
export async function startRelay(target: string): Promise<Relay> {
  const pairs = new Set<Pair>();
  let isDropping = false;
  let swallowed: string | undefined;
  let onSwallowed = Promise.withResolvers<void>();
  let commits = 0;
  let roundTrips = 0;

  function passOn(client: Socket): void {
    const pair: Pair = {
      client,
      server: connect(`${target}/.s.PGSQL.5432`),
      isDead: isDropping,
      isNext: false,
      hasSpoken: false,
    };
    pairs.add(pair);
    const end = (): void => {
      client.destroy();
      pair.server.destroy();
      pairs.delete(pair);
    };
    for (const socket of [client, pair.server]) socket.on('error', () => undefined);
    client.on('close', end);
    pair.server.on('close', () => !pair.isDead && end());
    client.on('data', (bytes) => {
      if (pair.isDead) return;
      if (!pair.hasSpoken) roundTrips += 1;
      pair.hasSpoken = true;
      pair.isNext ||= swallowed !== undefined && bytes.includes(swallowed);
      pair.server.write(bytes);
    });
    pair.server.on('data', (bytes: Buffer) => {
      commits += occurrences(bytes, committed);
      pair.hasSpoken = false;
      if (pair.isDead) return;
      if (pair.isNext && bytes.includes(committed)) {
        swallowed = undefined;
        onSwallowed.resolve();
        end();
      } else client.write(bytes);
    });
  }

  let listening: Server | undefined;
  const listen = async (port: number): Promise<void> => {
    listening = createServer(passOn).listen(port, '127.0.0.1');
    await once(listening, 'listening');
  };
  const refuse = async (): Promise<void> => {
    const closed = listening && once(listening, 'close');
    listening?.close();
    listening = undefined;
    for (const { client, server } of pairs) {
      client.resetAndDestroy();
      server.destroy();
    }
    await closed;
  };
  await listen(0);
  const { port } = (listening as unknown as Server).address() as AddressInfo;
  return {
    port,
    cut: refuse,
    drop() {
      isDropping = true;
      for (const pair of pairs) pair.isDead = true;
    },
    swallowCommitOf(text) {
      swallowed = text;
      onSwallowed = Promise.withResolvers();
      return onSwallowed.promise;
    },
    commits: () => commits,
    roundTrips: () => roundTrips,
    async restore() {
      isDropping = false;
      if (!listening) await listen(port);
    },
    stop: refuse,
  };
}
