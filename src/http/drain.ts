import type { Server } from 'node:http';
import { systemClock } from '../base/clock.ts';
import { pendingResponsesOf } from './pending.ts';

/**
 * Closes a server's connections without cutting off an answer: idle connections at once, all others with their next answer. Resolves
 * when the pending requests have been answered, at the latest after `graceMs` of real time (also under a test clock). The server keeps
 * listening, so that `/ready` can report that it is draining.
 */
export type Drain = (graceMs: number) => Promise<void>;

/**
 * Starts tracking a server's requests (pending.ts). By hand, because `server.closeIdleConnections` also destroys connections whose answer is
 * written but not yet sent, and Node cannot wait for requests while the server still listens.
 */
export function createDrain(server: Server): Drain {
  const pending = pendingResponsesOf(server);

  return async (graceMs) => {
    server.prependListener('request', (_request, response) => void response.setHeader('Connection', 'close'));
    for (const [socket, responses] of pending) if (responses.size === 0) socket.destroy();
    const unanswered = [...pending.values()].flatMap((responses) => [...responses]);
    for (const response of unanswered) if (!response.headersSent) response.setHeader('Connection', 'close');
    const answered = unanswered.map((response) => new Promise<void>((resolve) => response.once('close', resolve)));
    const clock = systemClock();
    let cancel = (): void => undefined;
    const graceOver = new Promise<void>((resolve) => {
      cancel = clock.alarm(clock.now() + graceMs, resolve);
    });
    await Promise.race([Promise.all(answered), graceOver]);
    cancel();
  };
}
