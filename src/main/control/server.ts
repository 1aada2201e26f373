import { createServer, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { AppError, messageOf } from '../../base/errors.ts';
import type { Log } from '../../base/log.ts';
import { makeControlAddress } from './address.ts';
import { type ControlAnswer, type ControlRequest, maxRequestBytes } from './protocol.ts';

export type Control = {
  /** Accepts no more requests, waits for the running ones, and removes the socket. */
  close(): Promise<void>;
};

/**
 * Listens for the operator's commands on the control socket of a data directory. There is no authentication, because only the owner of the
 * data directory may open the socket (0600), and the owner could open the database as well.
 */
export async function serveControl(
  directory: string,
  log: Log,
  perform: (request: ControlRequest) => Promise<unknown>,
): Promise<Control> {
  const address = makeControlAddress(directory);
  const running = new Set<Promise<void>>();
  const server = createServer((socket) => {
    const done: Promise<void> = serve(socket, log, perform).finally(() => running.delete(done));
    running.add(done);
  });
  await new Promise<void>((resolve, reject) => {
    // `listen` creates the socket before it returns, and the umask makes it private from the start. With a chmod afterwards, somebody
    // else could connect in between.
    const mask = process.umask(0o177);
    server.once('error', reject).listen(address.path, resolve);
    process.umask(mask);
  });
  server.on('error', (err) => log.error({ err }, 'the control socket could not take a connection'));
  return {
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      await Promise.all([closed, ...running]);
      address.remove();
    },
  };
}

async function serve(socket: Socket, log: Log, perform: (request: ControlRequest) => Promise<unknown>): Promise<void> {
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  socket.on('error', (err) => log.debug({ err }, 'a control connection broke'));
  const line = await firstLine(socket);
  if (line !== undefined) socket.end(`${JSON.stringify(await answerTo(line, log, perform))}\n`);
  else socket.destroy();
  await closed;
}

async function firstLine(socket: Socket): Promise<string | undefined> {
  let size = 0;
  socket.on('data', (bytes: Buffer) => {
    size += bytes.length;
    if (size > maxRequestBytes) socket.destroy();
  });
  const lines = createInterface({ input: socket });
  return new Promise((resolve) => {
    lines.once('line', resolve);
    lines.once('close', () => resolve(undefined));
    socket.once('close', () => resolve(undefined)); // readline does not notice a socket that was destroyed
  });
}

async function answerTo(
  line: string,
  log: Log,
  perform: (request: ControlRequest) => Promise<unknown>,
): Promise<ControlAnswer> {
  try {
    const request = JSON.parse(line) as ControlRequest;
    log.info({ task: request.task }, 'task received over the control socket');
    return { ok: true, result: (await perform(request)) ?? null };
  } catch (error) {
    if (!(error instanceof AppError)) log.warn({ err: error }, 'a task received over the control socket failed');
    return { ok: false, message: messageOf(error) };
  }
}
