import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Client, createClient } from './client.ts';
import { populate, type Populated } from './populate.ts';
import { randomOf } from './random.ts';
import { createReceiver, type Receiver } from './receiver.ts';
import { createRuntime, type Runtime, runtimeSecret } from './runtime.ts';
import { createKillableServer, type KillableServer, type Served } from './server.ts';
import { createTally, type Tally } from './waiting.ts';
import { startWriter, type Writer, type WriterOptions } from './writer.ts';

export type Driver = 'simulated' | 'http';

/** The server under test, and everything that exchanges requests with it and keeps running when it is killed. */
export type World<S extends Served = KillableServer> = {
  driver: Driver;
  server: S;
  client: Client;
  receiver: Receiver;
  runtime: Runtime;
  /** Counts the server's own work: its requests to receiver and runtime, and the runtime's reports. */
  work: Tally;
  /** Counts the answers that the writers got. */
  answers: Tally;
  /** Creates agent, number and campaign on a ready server, and starts the writers. */
  begin(options: { retries?: number; onUnavailable: WriterOptions['onUnavailable'] }): Promise<Begun>;
  close(): Promise<void>;
};

export type Begun = Populated & { writers: readonly Writer[] };

const writerNumbers = [1, 2, 3];

type WorldOptions = {
  /** The writers add no more calls while this many are waiting or in progress. */
  backlog?: number;
};

/** Starts a server; it reads `settings` only when it starts a process. */
export type CreateServer<S> = (directory: string, settings: Readonly<Record<string, string>>) => S | Promise<S>;

export const createWorld = (driver: Driver, seed: number, options?: WorldOptions): Promise<World> =>
  createWorldAround(createKillableServer, { driver, seed, ...options });

export async function createWorldAround<S extends Served>(
  createServer: CreateServer<S>,
  { driver, seed, backlog = 60 }: WorldOptions & { driver: Driver; seed: number },
): Promise<World<S>> {
  const directory = mkdtempSync(join(tmpdir(), 'parley-crash-'));
  const [work, answers] = [createTally(), createTally()];
  const settings: Record<string, string> = {
    'webhooks.allow_http_loopback': 'true',
    'http.rate_limit.per_second': '0',
    'log.level': 'warn',
    'carrier.driver': driver,
    'carrier.simulated.speed': '100',
    'carrier.http.timeout_ms': '1000',
    'carrier.http.secret': runtimeSecret,
  };
  const server = await createServer(directory, settings);
  const client = createClient(server);
  const receiver = await createReceiver(randomOf(seed + 1), work);
  const runtime = await createRuntime(randomOf(seed + 2), work, server);
  settings['carrier.http.url'] = runtime.url; // the runtime needs the server first; the settings are read only when the server starts
  return {
    driver,
    server,
    client,
    receiver,
    runtime,
    work,
    answers,
    async begin({ retries = 0, onUnavailable }) {
      const populated = await populate(client, { webhookUrl: receiver.url, retries });
      const { target, secret } = populated;
      receiver.trust(secret);
      const writers: Writer[] = [];
      const called = (): number => writers.reduce((sum, writer) => sum + writer.called(), 0);
      const hasRoom = (): boolean => called() - receiver.calls() < backlog;
      for (const number of writerNumbers) {
        const random = randomOf(seed + 10 + number);
        writers.push(startWriter({ client, random, answers, target, number, hasRoom, onUnavailable }));
      }
      return { ...populated, writers };
    },
    async close() {
      server.giveUp();
      await server.kill();
      receiver.close();
      runtime.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
