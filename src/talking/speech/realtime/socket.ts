import WebSocket from 'ws';
import { after } from '../../../base/clock.ts';
import { createRateBudget } from '../../../base/fair/rate-budget.ts';
import { detailOf } from '../../../base/outbound/errors.ts';
import type { SpeechSettings } from '../settings.ts';
import { addressOf } from './dialect.ts';
import { readEvent, type ServerEvent } from './server-event.ts';
import { createUnconfirmed } from './unconfirmed.ts';

export type Socket = {
  send(event: object): void;
  close(): void;
};

export type SocketEvents = {
  /** The server's first event, `session.created`. */
  opened(): void;
  event(event: ServerEvent): void;
  /** A message that is no event. */
  nonsense(): void;
  /** Called once: the socket could not be opened in time, or broke. Not after `close`. */
  lost(reason: string): void;
};

/** Some servers send a whole answer in one message. A minute of PCM, which is all that may wait to be played, has 3.84 MB as base64. */
const maxMessageBytes = 4_194_304;
/** A minute of PCM that the server does not take. */
const maxUnsentBytes = 4_194_304;

/**
 * Bytes that a server may send in one go, and per second after that: ten minutes of PCM have 40 MB, and a minute in a second is the fastest
 * that servers send. Each message costs time besides, as much as these bytes.
 */
const inflow = { burst: 67_108_864, perSecond: 4_194_304 };
const messageCost = 1000;

const headersOf = ({ api_key: key, auth }: SpeechSettings['realtime']): Record<string, string> =>
  key === null ? {} : auth === 'bearer' ? { Authorization: `Bearer ${key}` } : { 'api-key': key };

/** A socket to the realtime service. The address is the operator's and is not checked. Network time-outs are real time. */
export function openSocket(
  settings: SpeechSettings['realtime'],
  model: string | null,
  timeoutMs: number,
  events: SocketEvents,
): Socket {
  const socket = new WebSocket(addressOf(settings.url, model), {
    headers: headersOf(settings),
    maxPayload: maxMessageBytes,
    perMessageDeflate: false,
    handshakeTimeout: timeoutMs,
    autoPong: false,
    // One message in each turn of the loop: a flood of small ones must not keep packets from being sent.
    allowSynchronousEvents: false,
  });
  const unconfirmed = createUnconfirmed();
  let [isOver, isOpened, isGentle] = [false, false, true];

  const lose = (reason: string): void => {
    if (isOver) return;
    close();
    events.lost(reason);
  };
  const cancel = after(timeoutMs, () => lose(`no session within ${timeoutMs} ms (speech.connect_timeout_ms)`));

  function close(): void {
    isOver = true;
    cancel();
    if (socket.readyState === WebSocket.OPEN && isGentle) socket.close(1000);
    else socket.terminate();
  }

  const mayCome = createRateBudget(inflow);

  /** A flood ends the session: it would take the thread from other calls. */
  function keepsTo(bytes: number): boolean {
    if (mayCome.take('session', bytes + messageCost).allowed) return true;
    isGentle = false; // what it has still sent is not read
    lose('the speech service sends more than a call can use');
    return false;
  }

  function open(): void {
    if (isOpened) return;
    isOpened = true;
    cancel();
    events.opened();
  }

  socket.on('message', (data: Buffer) => {
    if (isOver || !keepsTo(data.length)) return;
    const read = readEvent(data);
    if (!read) return events.nonsense();
    const event = unconfirmed.received(read);
    if (event.type === 'session.created') {
      events.event(event);
      return open();
    }
    events.event(event);
  });
  socket.on('ping', (data: Buffer) => {
    if (keepsTo(data.length) && socket.bufferedAmount < maxUnsentBytes) socket.pong(data);
  });
  socket.on('unexpected-response', (_request, response) => {
    response.resume();
    lose(`the speech service answered HTTP ${response.statusCode}`);
  });
  socket.on('error', (error) => lose(`the connection to the speech service failed: ${detailOf(error)}`));
  socket.on('close', (code, reason) =>
    lose(`the speech service closed the connection (${code} ${reason.toString('utf8')})`.replace(' )', ')')),
  );

  return {
    send(event) {
      if (isOver || socket.readyState !== WebSocket.OPEN) return;
      if (socket.bufferedAmount > maxUnsentBytes) return lose('the speech service does not take what it is sent');
      unconfirmed.sent(event);
      // As bytes, which are joined with their header into one write; a string would be two.
      socket.send(Buffer.from(JSON.stringify(event)), { binary: false });
    },
    close,
  };
}
