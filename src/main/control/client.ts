import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { findControlAddress } from './address.ts';
import type { ControlAnswer, ControlRequest } from './protocol.ts';

/** `undefined` when no process listens on the control socket of the directory. */
export async function askRunning(directory: string, request: ControlRequest): Promise<{ result: unknown } | undefined> {
  const path = findControlAddress(directory);
  if (path === undefined) return undefined;
  const socket = connect(path);
  const connected = await new Promise<boolean>((resolve, reject) => {
    socket.once('connect', () => resolve(true));
    socket.once('error', (error: NodeJS.ErrnoException) => {
      // What a dead process left behind refuses; another pipe system than Linux's says that there is none.
      if (error.code === 'ECONNREFUSED' || error.code === 'ENOENT') resolve(false);
      else reject(new Error(`the control socket ${path} cannot be used: ${error.message}`, { cause: error }));
    });
  });
  if (!connected) return undefined;
  socket.write(`${JSON.stringify(request)}\n`);
  const line = await text(socket);
  if (line === '') throw new Error('the server stopped before it answered; whether it did the task is not known');
  const answer = JSON.parse(line) as ControlAnswer;
  if (!answer.ok) throw new Error(answer.message);
  return { result: answer.result };
}
