import { WebSocket } from 'ws';
import { after, every } from '../../../../base/clock.ts';
import { createUnfinished } from '../../../../base/unfinished.ts';
import type { App } from '../../../../kernel/app.ts';
import type { SpeechReport } from '../../../../talking/speech/engine.ts';
import type { Call } from '../../call.ts';
import { recordingFileOf } from '../../recordings/service.ts';
import { findCall } from '../../service.ts';
import { agentInCall } from '../thread/agent-in-call.ts';
import type { FromWebCall, ToWebCall } from '../thread/protocol.ts';
import { sharedThread } from '../thread/shared-thread.ts';
import { createTranscripts, recordSpeechEvent, type Transcripts } from '../thread/speech-books.ts';
import { failedEnd, type WebEnd, writeAnswer, writeEnd, writeKey } from './books.ts';
import { readMessage } from './messages.ts';
import type { Speech } from './settings.ts';
import type { Ticket } from './ticket.ts';

export type WebTimes = {
  /** How long a ticket opens the connection. */
  ticketMs: number;
  pingEveryMs: number;
  pongWithinMs: number;
};

export const usualTimes: WebTimes = { ticketMs: 30_000, pingEveryMs: 10_000, pongWithinMs: 20_000 };
/** A client that takes nothing for a minute; what comes then is dropped. */
const maxUnsentBytes = 480_000;

export type Entry = {
  call: Call;
  ticket: Ticket | null;
  socket: WebSocket | undefined;
  /** The client hung up or is gone, so that the end is not the agent's. */
  end: WebEnd | undefined;
  isOver: boolean;
  cancels: Array<() => void>;
  written: Promise<void>;
};

/** The live test calls: their sockets, and what is written of them, each call's in order. */
export type LiveTestCalls = {
  entries: Map<string, Entry>;
  transcripts: Transcripts;
  enqueue(this: void, entry: Entry, write: () => Promise<void>): void;
  /** Ends the call in the books, and then the connection. */
  finish(this: void, entry: Entry, end: WebEnd): void;
  /** The thread ends the call and tells what was said; the end then is this one. */
  close(this: void, entry: Entry, end: WebEnd): void;
  connect(this: void, entry: Entry, socket: WebSocket): Promise<void>;
  settled(this: void): Promise<void>;
};

export function createLiveTestCalls(app: App, speech: Speech, times: WebTimes): LiveTestCalls {
  const entries = new Map<string, Entry>();
  const writing = createUnfinished();
  const transcripts = createTranscripts(app);
  const shared = sharedThread(app);
  const tell = (callId: string, event: ToWebCall): void => shared.thread?.post({ type: 'web', callId, event });

  function enqueue(entry: Entry, write: () => Promise<void>): void {
    entry.written = entry.written.then(write);
    writing.add(entry.written);
  }

  function finish(entry: Entry, end: WebEnd): void {
    if (entry.isOver) return;
    entry.isOver = true;
    for (const cancel of entry.cancels) cancel();
    entries.delete(entry.call.id);
    enqueue(entry, async () => {
      await transcripts.flushed();
      await writeEnd(app, entry.call, end);
      await sayGoodbye(app, entry);
    });
  }

  function close(entry: Entry, end: WebEnd): void {
    entry.end ??= end;
    if (entry.socket && shared.thread) tell(entry.call.id, { type: 'close' });
    else finish(entry, end);
  }

  async function connect(entry: Entry, socket: WebSocket): Promise<void> {
    const { call } = entry;
    entry.socket = socket;
    watch(entry, socket, {
      times,
      tell: (event) => tell(call.id, event),
      close: (end) => close(entry, end),
      keyed,
    });
    try {
      const agent = await agentInCall(app, speech, call);
      const recording = await recordingFileOf(app, call);
      if (entry.isOver) return;
      if (entry.end) return finish(entry, entry.end);
      await writeAnswer(app, call);
      tell(call.id, { type: 'open', agent, recording, maxDurationMs: call.maxDurationMs });
      send(entry, { type: 'answered' });
    } catch (error) {
      app.log.warn({ callId: call.id, err: error }, 'a test call could not be opened');
      finish(entry, failedEnd('The agent could not be opened.'));
    }
  }

  const keyed = (entry: Entry, digit: string): void => enqueue(entry, () => writeKey(app, entry.call, digit));

  return { entries, transcripts, enqueue, finish, close, connect, settled: () => writing.settled() };
}

export function send({ socket }: Entry, message: object | Uint8Array): void {
  if (!socket || socket.readyState !== WebSocket.OPEN || socket.bufferedAmount > maxUnsentBytes) return;
  socket.send(message instanceof Uint8Array ? message : JSON.stringify(message));
}

/** What a client may send in a tenth of a second. What comes faster waits in the client: sound has five frames in that time. */
const paceMs = 100;
const maxPerPace = 50;
/** Keys and texts are written down. */
const textCost = 10;

/** Returns what is to be called for each message of a client; one that sends too fast is not read for the rest of the time. */
function pacedReading(entry: Entry, socket: WebSocket): (cost: number) => void {
  let spent = 0;
  let cancel: (() => void) | undefined;
  const readOn = (): void => {
    cancel?.();
    spent = entry.isOver ? 0 : Math.max(0, spent - maxPerPace);
    cancel = spent > 0 ? after(paceMs, readOn) : undefined;
    if (spent < maxPerPace && socket.isPaused) socket.resume();
  };
  entry.cancels.push(readOn);
  return (cost) => {
    if (entry.isOver) return;
    spent += cost;
    cancel ??= after(paceMs, readOn);
    if (spent >= maxPerPace && !socket.isPaused) socket.pause();
  };
}

type Watching = {
  times: WebTimes;
  tell(this: void, event: ToWebCall): void;
  close(this: void, end: WebEnd): void;
  keyed(this: void, entry: Entry, digit: string): void;
};

const hungUp: WebEnd = {
  ...failedEnd(''),
  status: 'completed',
  disconnectReason: 'customer_hangup',
  errorMessage: null,
};

function watch(entry: Entry, socket: WebSocket, { times, tell, close, keyed }: Watching): void {
  let cancelPong: (() => void) | undefined;
  entry.cancels.push(
    every(times.pingEveryMs, () => {
      socket.ping();
      cancelPong ??= after(times.pongWithinMs, () => {
        close(failedEnd('The connection of the test call does not answer any more.'));
        socket.terminate();
      });
    }),
    () => cancelPong?.(),
  );
  const spend = pacedReading(entry, socket);
  socket.on('ping', (data: Buffer) => {
    spend(1);
    if (socket.bufferedAmount < maxUnsentBytes) socket.pong(data);
  });
  socket.on('pong', () => {
    spend(1);
    cancelPong?.();
    cancelPong = undefined;
  });
  socket.on('message', (data, isBinary) => {
    spend(isBinary ? 1 : textCost);
    const message = readMessage(data as Buffer, isBinary);
    if (message === undefined) {
      close(failedEnd('The client of the test call sent a message that does not belong there.'));
      socket.close(1008, 'unknown message');
    } else if (message.type === 'hangup') close(hungUp);
    else {
      if (message.type === 'key') keyed(entry, message.digit);
      tell(message);
    }
  });
  // A message that is too large ends the connection with 1009 before it is read.
  socket.on('error', () => close(failedEnd('The connection of the test call broke.')));
  socket.on('close', () => close(hungUp));
}

export function relay(entry: Entry, event: FromWebCall, finish: (entry: Entry, end: WebEnd) => void): void {
  if (event.type === 'frame') return send(entry, event.audio);
  if (event.type === 'clear') return send(entry, { type: 'clear' });
  const { hangUp, talkedMs, speech } = event;
  const byAgent: WebEnd = {
    status: hangUp?.status ?? 'completed',
    disconnectReason: hangUp?.status === 'failed' ? 'error' : 'agent_hangup',
    errorMessage: hangUp?.errorMessage ?? null,
    talkedMs,
    speech,
  };
  finish(entry, entry.end ? { ...entry.end, talkedMs, speech } : byAgent);
}

type Books = Pick<LiveTestCalls, 'transcripts' | 'enqueue'>;

export function tellSpeech(app: App, entry: Entry, report: SpeechReport, { transcripts, enqueue }: Books): void {
  const { call } = entry;
  if (report.type === 'tool') send(entry, { type: 'tool', name: report.name });
  if (report.type !== 'said') return enqueue(entry, () => recordSpeechEvent(app, call, report));
  const { role, text, atMs } = report.said;
  send(entry, { type: 'said', role, text, timestamp_ms: Math.max(0, Math.round(atMs)) });
  transcripts.add(call, report.said);
}

/** The last message says how the call ended, as the API shows it. */
async function sayGoodbye(app: App, entry: Entry): Promise<void> {
  const call = await findCall(app.db, entry.call.id);
  const end = call?.ending ?? call;
  if (end) {
    const { status, disconnectReason, errorMessage } = end;
    send(entry, { type: 'ended', status, disconnect_reason: disconnectReason, error_message: errorMessage });
  }
  entry.socket?.close(1000);
}
