import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { afterIo } from '../base/clock.ts';
import { connectionAddress } from './client-address.ts';
import { limitStarts } from './start-limit.ts';

type Handle = (request: IncomingMessage, response: ServerResponse) => void;

/**
 * Hands over the next request of a connection when the answer to the one before has left. Otherwise a client that sends many requests
 * without reading would have them all answered into memory, and hold up the others meanwhile. By hand, because Node emits pipelined
 * requests as fast as it parses them.
 */
export function oneAtATime(handle: Handle): Handle {
  /** Connections with an unfinished request, each with those that wait behind it. */
  const waiting = new Map<Socket, Array<() => void>>();
  const limited = limitStarts();

  function startNext(socket: Socket): void {
    const queue = waiting.get(socket);
    const next = socket.destroyed ? undefined : queue?.shift();
    if (!next) {
      waiting.delete(socket);
      socket.resume();
      return;
    }
    if (queue?.length === 0) socket.resume(); // the body of the next request may still be coming
    afterIo(next);
  }

  return (request, response) => {
    const { socket } = request;
    const handleNow = (): void => {
      if (socket.destroyed) return void waiting.delete(socket);
      response.once('close', () => startNext(socket));
      handle(request, response);
    };
    const start = (): void => limited(connectionAddress(socket), handleNow);
    const queue = waiting.get(socket);
    if (queue) {
      queue.push(start);
      socket.pause(); // what Node has read already becomes requests, at most some hundreds
    } else {
      waiting.set(socket, []);
      start();
    }
  };
}
