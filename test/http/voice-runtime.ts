import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import http from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { TestContext } from 'node:test';
import { verifies } from '../unit/webhooks/verify.ts';

export const secret = `whsec_${Buffer.from('the secret of the voice runtime!').toString('base64')}`;

export type Message = { type: string; call_session_id: string; callback_url: string } & Record<string, unknown>;
type Seen = { method: string; path: string; headers: http.IncomingHttpHeaders; text: string };
/** `hang`: no answer until `release`. `cut`: the connection closes without an answer. */
export type Reply = { status: number; body?: string } | 'hang' | 'cut';
export type Signing = { secret?: string; id?: string; timestampSec?: number };

/** The headers of Standard Webhooks, computed independently of the code under test. */
export function sign(body: string, { secret: key = secret, id = 'evt_1', timestampSec = 0 }: Signing = {}) {
  const bytes = key.startsWith('whsec_') ? Buffer.from(key.slice(6), 'base64') : Buffer.from(key);
  const signature = createHmac('sha256', bytes).update(`${id}.${timestampSec}.${body}`).digest('base64');
  return { 'webhook-id': id, 'webhook-timestamp': String(timestampSec), 'webhook-signature': `v1,${signature}` };
}

/**
 * A voice runtime on loopback that implements the driver's protocol: it checks every signature, accepts a call once per idempotency key,
 * knows the calls it accepted, and hangs up. `answers` can override the answer to a dial; with `takes` the call is accepted all the same.
 */
export async function voiceRuntime(t: TestContext, { port = 0 } = {}) {
  const seen: Seen[] = [];
  const known = new Map<string, Message>();
  const hungUp: string[] = [];
  const asked: string[] = [];
  const hanging: http.ServerResponse[] = [];
  const waiting: Array<{ isDone: () => boolean; resolve: () => void }> = [];
  const sockets = new Set<Socket>();
  let dialReply: (message: Message) => { reply: Reply; takes: boolean } | undefined = () => undefined;
  let otherReply: () => Reply | undefined = () => undefined;
  let moved: string | undefined;

  const refuses = (status: number, why: string): Reply => ({ status, body: JSON.stringify({ message: why }) });

  function reply({ method, path, headers, text }: Seen): Reply {
    if (method === 'GET') {
      const id = path.split('/').at(-1)!;
      asked.push(id);
      return otherReply() ?? { status: known.has(id) ? 200 : 404 };
    }
    const message = JSON.parse(text) as Message;
    if (message.type === 'call.dial') {
      if (headers['idempotency-key'] !== message.call_session_id) return refuses(400, 'the key is not the call');
      const said = dialReply(message);
      const isKnown = known.has(message.call_session_id);
      if (said?.takes !== false) known.set(message.call_session_id, message);
      return said?.reply ?? (isKnown ? { status: 409 } : { status: 202, body: '{"accepted":true}' });
    }
    hungUp.push(message.call_session_id);
    return otherReply() ?? { status: known.has(message.call_session_id) ? 200 : 404 };
  }

  const server = http.createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { method = '', url: path = '', headers } = request;
    const entry = { method, path, headers, text: Buffer.concat(chunks).toString() };
    seen.push(entry);
    const isGenuine = await verifies(secret, headers, entry.text);
    const answer = isGenuine ? reply(entry) : refuses(401, 'the signature is wrong');
    if (answer === 'hang') hanging.push(response);
    else if (answer === 'cut') response.socket?.destroy();
    else response.writeHead(answer.status, { 'content-type': 'application/json' }).end(answer.body ?? '');
    for (const one of waiting) if (one.isDone()) one.resolve();
  });
  server.on('connection', (socket) => sockets.add(socket));
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const close = async (): Promise<void> => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  };
  t.after(close);
  const address = server.address() as AddressInfo;

  return {
    port: address.port,
    url: `http://127.0.0.1:${address.port}/calls`,
    seen,
    /** The accepted calls by id, with their dial messages. */
    known,
    /** The id of the call for each request to hang up; likewise for each status request. */
    hungUp,
    asked,
    dials: () => seen.filter(({ text }) => text.includes('"call.dial"')),
    onDial(answer: typeof dialReply) {
      dialReply = answer;
    },
    /** Its answer to everything but dials. */
    onOther(answer: typeof otherReply) {
      otherReply = answer;
    },
    until: (isDone: () => boolean) =>
      new Promise<void>((resolve) => {
        if (isDone()) resolve();
        else waiting.push({ isDone, resolve });
      }),
    /** Sends further reports to another server, which took over. */
    reportTo(origin: string) {
      moved = origin;
    },
    /** Answers the requests that hang. */
    release(status = 202) {
      for (const response of hanging.splice(0)) response.writeHead(status).end();
    },
    /** Reports on an accepted call to its callback URL, and returns the state in the answer. */
    async report(callId: string, timestampMs: number, event: Record<string, unknown>): Promise<string> {
      const message = known.get(callId);
      assert.ok(message, 'the runtime does not know the call');
      const body = JSON.stringify({ call_session_id: callId, ...event });
      const response = await fetch(
        message.callback_url.replace(/^http:\/\/[^/]+/, (origin) => moved ?? origin),
        {
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            ...sign(body, { timestampSec: Math.floor(timestampMs / 1000) }),
          },
          body,
        },
      );
      const text = await response.text();
      assert.equal(response.status, 200, text);
      return (JSON.parse(text) as { data: { state: string } }).data.state;
    },
    close,
  };
}

export type VoiceRuntime = Awaited<ReturnType<typeof voiceRuntime>>;
