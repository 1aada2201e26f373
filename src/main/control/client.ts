import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { findControlAddress } from './address.ts';
import type { ControlAnswer, ControlRequest } from './protocol.ts';

/** Sends a task to the server of a data directory. Undefined if no process listens on the control socket. */
export async function requestRunningServer(
  directory: string,
  request: ControlRequest,
): Promise<{ result: unknown } | undefined> {
  const path = findControlAddress(directory);
  if (path === undefined) return undefined;
  const socket = connect(path);
  const connected = await new Promise<boolean>((resolve, reject) => {
    socket.once('connect', () => resolve(true));
    socket.once('error', (error: NodeJS.ErrnoException) => {
      // ECONNREFUSED: a dead process left its socket behind. ENOENT: no such socket or, on Windows, no such pipe.
      if (error.code === 'ECONNREFUSED' || error.code === 'ENOENT') resolve(false);
      else reject(new Error(`cannot connect to the control socket ${path}: ${error.message}`, { cause: error }));
    });
  });
  if (!connected) return undefined;
  socket.write(`${JSON.stringify(request)}\n`);
  const line = await text(socket);
  if (line === '') throw new Error('the server stopped before it answered; it may or may not have performed the task');
  const answer = JSON.parse(line) as ControlAnswer;
  if (!answer.ok) throw new Error(answer.message);
  return { result: answer.result };
}
