import { connect, type Socket } from 'node:net';

export type LoadRequest = { method?: string; path: string; headers: Readonly<Record<string, string>>; body?: string };

/**
 * Sends one request after the other on each of `connections` for `durationMs`, and returns how many were answered. Uses plain sockets,
 * because a request costs undici and node:http more than it costs a bare server, so they would limit the measurement.
 * @throws if an answer is not a 200 with a Content-Length
 */
export async function load(
  port: number,
  { method = 'GET', path, body = '', headers: extra }: LoadRequest,
  { connections, durationMs }: { connections: number; durationMs: number },
): Promise<number> {
  const length = body === '' ? {} : { 'content-length': String(Buffer.byteLength(body)) };
  const headers = Object.entries({ ...extra, ...length }).map(([name, value]) => `${name}: ${value}\r\n`);
  const text = `${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n${headers.join('')}\r\n${body}`;
  const until = performance.now() + durationMs;
  const counts = await Promise.all(Array.from({ length: connections }, () => sendUntil(port, text, until)));
  return counts.reduce((sum, count) => sum + count, 0);
}

function sendUntil(port: number, text: string, until: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    let served = 0;
    const ask = (): void => {
      if (performance.now() < until) socket.write(text);
      else socket.end(() => resolve(served));
    };
    socket.once('connect', ask);
    socket.once('error', reject);
    onAnswer(socket, reject, () => {
      served += 1;
      ask();
    });
  });
}

/** Calls back at the end of each answer. Expects one answer at a time. */
function onAnswer(socket: Socket, fail: (error: Error) => void, answered: () => void): void {
  let head = '';
  let left = 0;
  socket.on('data', (chunk: Buffer) => {
    if (left === 0) {
      head += chunk.toString('latin1');
      const end = head.indexOf('\r\n\r\n');
      if (end < 0) return;
      const length = /\r\ncontent-length: (\d+)/i.exec(head.slice(0, end + 2))?.[1];
      if (!head.startsWith('HTTP/1.1 200') || length === undefined) {
        socket.destroy();
        fail(new Error(`expected a 200 with a Content-Length, got: ${head.slice(0, 500)}`));
        return;
      }
      left = Number(length) - (head.length - end - 4);
      head = '';
    } else left -= chunk.length;
    if (left === 0) answered();
  });
}
