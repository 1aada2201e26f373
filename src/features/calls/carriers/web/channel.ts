import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
import { after, within } from '../../../../base/clock.ts';
import { conflict } from '../../../../base/errors.ts';
import type { App } from '../../../../kernel/app.ts';
import type { Call } from '../../call.ts';
import { writeRecording } from '../../recordings/service.ts';
import { type OtherChannel, sharedThread } from '../thread/shared-thread.ts';
import type { TelephonyThread } from '../thread/thread.ts';
import { missingSpeechSettings } from '../thread/speech-settings.ts';
import { failedEnd } from './books.ts';
import { createLiveTestCalls, type Entry, type LiveTestCalls, relay, send, tellSpeech, usualTimes } from './live.ts';
import { maxMessageBytes } from './messages.ts';
import type { Speech, WebSettings } from './settings.ts';
import { isTicket, makeTicket, subprotocol, type Ticket, ticketIn } from './ticket.ts';

/** The test calls of this process, from the ticket to the end. */
export type WebChannel = OtherChannel & {
  /**
   * Starts the thread that has the sound of test calls.
   * @throws conflict when no engine is set, or too many test calls are live
   */
  requireRoom(): void;
  /** The secret that opens the call's connection, once, for some time, and while its maker is `stillAllowed` to make a test call. */
  expect(call: Call, stillAllowed: () => Promise<boolean>): { secret: string; forMs: number };
  /** Whether the address is that of a test call's sound; the connection is answered then. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): boolean;
  hangUp(callId: string): void;
  say(callId: string, text: string): Promise<boolean>;
  live(): number;
  /** Seconds of sound that came too early and were dropped, since the thread of calls was started. */
  droppedSec(): Promise<number>;
  stop(): Promise<void>;
};

type Arrival = { request: IncomingMessage; socket: Duplex; head: Buffer };

/** A thread that is too busy to answer must not keep other metrics. */
const maxMetricsMs = 1000;
/** The address of a test call's sound; `[1]` is the call. */
const audioPath = /^\/api\/v1\/calls\/([0-9a-f-]{36})\/audio\/?(?:\?.*)?$/;

export function createWebChannel(app: App, settings: WebSettings, speech: Speech, times = usualTimes): WebChannel {
  const live = createLiveTestCalls(app, speech, times);
  const { entries, close, finish, settled } = live;
  const sockets = createSockets();
  const openIfAllowed = opener(app, live, sockets);
  const shared = sharedThread(app);

  return {
    requireRoom() {
      const [missing] = missingSpeechSettings(speech, app.config.catalog.models);
      if (missing) throw conflict(`Test calls need ${missing[0]}: ${missing[1]}.`);
      if (!shared.thread) shared.start?.();
      if (!shared.thread) throw conflict('The telephony thread is not running, so nothing speaks (speech.engine).');
      if (entries.size >= settings.max) throw conflict(`All ${settings.max} test calls (web_calls.max) are in use.`);
    },
    expect(call, stillAllowed) {
      const { secret, ticket } = makeTicket(stillAllowed);
      const entry: Entry = {
        call,
        ticket,
        socket: undefined,
        end: undefined,
        isOver: false,
        cancels: [],
        written: Promise.resolve(),
      };
      entries.set(call.id, entry);
      entry.cancels.push(
        after(times.ticketMs, () => {
          if (!entry.socket) finish(entry, failedEnd('nobody connected'));
        }),
      );
      return { secret, forMs: times.ticketMs };
    },
    upgrade(request, socket, head) {
      const callId = audioPath.exec(request.url ?? '')?.[1];
      if (callId === undefined) return false;
      const entry = entries.get(callId);
      const secret = ticketIn(request.headers['sec-websocket-protocol']);
      const ticket = entry?.ticket;
      if (!ticket || secret === undefined || !isTicket(ticket, secret)) {
        refuse(socket, '401 Unauthorized');
        return true;
      }
      entry.ticket = null;
      void openIfAllowed(entry, ticket, { request, socket, head });
      return true;
    },
    hangUp(callId) {
      const entry = entries.get(callId);
      if (entry)
        close(entry, { ...failedEnd(''), status: 'completed', disconnectReason: 'agent_hangup', errorMessage: null });
    },
    async say(callId, text) {
      return (await shared.thread?.request({ type: 'say', callId, text }))?.done ?? false;
    },
    live: () => entries.size,
    droppedSec: () => droppedSec(shared.thread),
    ...threadEvents(app, live),
    failAll(errorMessage) {
      for (const entry of [...entries.values()]) finish(entry, failedEnd(errorMessage));
    },
    async stop() {
      for (const entry of [...entries.values()]) finish(entry, failedEnd('The server was stopped.'));
      await settled();
      for (const socket of sockets.clients) socket.terminate();
      sockets.close();
    },
  };
}

async function droppedSec(thread: TelephonyThread | undefined): Promise<number> {
  const reply = await (thread && within(maxMetricsMs, thread.request({ type: 'metrics' }), () => undefined));
  return (reply?.metrics?.webDroppedMs ?? 0) / 1000;
}

const createSockets = (): WebSocketServer =>
  new WebSocketServer({
    noServer: true,
    perMessageDeflate: false,
    maxPayload: maxMessageBytes,
    autoPong: false,
    handleProtocols: () => subprotocol,
  });

/** Opens the connection of a call whose ticket was shown. A ticket ends with the credentials of its maker. */
const opener =
  (app: App, live: LiveTestCalls, sockets: WebSocketServer) =>
  async (entry: Entry, ticket: Ticket, { request, socket, head }: Arrival): Promise<void> => {
    try {
      if (!(await ticket.stillAllowed()) || entry.isOver) return refuse(socket, '401 Unauthorized');
      sockets.handleUpgrade(request, socket, head, (opened) => void live.connect(entry, opened));
    } catch (error) {
      app.log.warn({ callId: entry.call.id, err: error }, 'the ticket of a test call could not be checked');
      refuse(socket, '500 Internal Server Error');
    }
  };

function refuse(socket: Duplex, status: string): void {
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}

/** What the thread tells of a call. */
function threadEvents(app: App, { entries, enqueue, finish, transcripts }: LiveTestCalls) {
  return {
    event(callId, event) {
      const entry = entries.get(callId);
      if (entry) relay(entry, event, finish);
    },
    speech(callId, report) {
      const entry = entries.get(callId);
      if (entry) tellSpeech(app, entry, report, { transcripts, enqueue });
    },
    tool(callId, name) {
      const entry = entries.get(callId);
      if (entry) send(entry, { type: 'tool', name });
    },
    recording(callId, report) {
      const entry = entries.get(callId);
      if (entry) enqueue(entry, () => writeRecording(app, callId, entry.call.orgId, report));
    },
  } satisfies Partial<OtherChannel>;
}
