import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';
import { type Codec, decode } from '../../../src/telephony/audio/g711.ts';
import { tone } from '../../../src/telephony/audio/tone.ts';

/**
 * A realtime speech service that does as the real one does: it decodes the audio, detects turns by its loudness, answers them one at a time,
 * cancels its answer when somebody speaks, and refuses what the real one refuses.
 */

export type FakeAnswer = {
  text: string;
  /** How long its sound is; by default 60 ms a character. */
  audioMs?: number;
  hertz?: number;
  tools?: ReadonlyArray<{ name: string; args: object | string }>;
  /** Nothing is answered at all. */
  never?: boolean;
};

// oxlint-disable-next-line typescript/no-explicit-any -- JSON of the program under test, read field by field
type AnyJson = Record<string, any>;

export type ClientEvent = { type: string; event_id?: string; atMs: number } & AnyJson;

export type FakeOptions = {
  shape?: 'ga' | 'beta';
  /** PCM only: G.711 is refused. */
  pcmOnly?: boolean;
  /** Types of events that are answered by an `error`. */
  refuses?: readonly string[];
  /** Types of events that are passed over without a word. */
  ignores?: readonly string[];
  /** Errors do not say which event they refuse. */
  namesNoEvent?: boolean;
  /** Refuses `transcription: {}`. */
  needsTranscriptionModel?: boolean;
  /** When the nth session says `session.created`; by default at once. */
  created?: (index: number) => Promise<void>;
  answer?: (request: { instructions: string | undefined; turn: number; session: FakeSession }) => FakeAnswer;
  /** What is heard in a turn. */
  heard?: (turn: number) => string;
  /** How many milliseconds of sound are sent in a millisecond; by default everything at once. */
  speed?: number;
  silenceMs?: number;
};

export type FakeSession = {
  events: ClientEvent[];
  headers: IncomingMessage['headers'];
  url: string;
  /** Milliseconds of audio that were appended. */
  heardMs(): number;
  errors: string[];
  send(event: object): void;
  sendRaw(text: string): void;
  die(): void;
  /** The items that were said, with their whole length and, where truncated, what is left. */
  items: Map<string, { ms: number; truncatedMs?: number }>;
};

export type FakeRealtime = {
  url: string;
  sessions: FakeSession[];
  /** Handshakes are refused, or left alone. */
  door: 'open' | 'refuses' | 'silent';
  /** Handshakes that were refused. */
  refused: number;
  next(matches: (event: ClientEvent, session: FakeSession) => boolean): Promise<ClientEvent>;
  close(): Promise<void>;
};

const isLoud = (pcm: ArrayLike<number>): boolean => {
  let sum = 0;
  for (let at = 0; at < pcm.length; at += 1) sum += pcm[at]! * pcm[at]!;
  return Math.sqrt(sum / Math.max(1, pcm.length)) > 300;
};

const formats: Record<string, Codec | 'pcm'> = {
  'audio/pcmu': 'PCMU',
  'audio/pcma': 'PCMA',
  'audio/pcm': 'pcm',
  g711_ulaw: 'PCMU',
  g711_alaw: 'PCMA',
  pcm16: 'pcm',
};

export async function startFakeRealtime(options: FakeOptions = {}): Promise<FakeRealtime> {
  const raw = new Set<Socket>();
  const server = new WebSocketServer({
    host: '127.0.0.1',
    port: 0,
    verifyClient: ({ req }, done) => {
      raw.add(req.socket);
      if (fake.door === 'refuses') {
        fake.refused += 1;
        done(false, 503, 'Busy');
      } else if (fake.door === 'open') done(true);
    },
  });
  await new Promise<void>((resolve) => server.once('listening', resolve));
  let waiters: Array<{
    matches: (event: ClientEvent, session: FakeSession) => boolean;
    resolve: (event: ClientEvent) => void;
  }> = [];

  const fake: FakeRealtime = {
    url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}/v1/realtime`,
    sessions: [],
    door: 'open',
    refused: 0,
    next(matches) {
      for (const session of fake.sessions) {
        const found = session.events.find((event) => matches(event, session));
        if (found) return Promise.resolve(found);
      }
      return new Promise((resolve) => waiters.push({ matches, resolve }));
    },
    async close() {
      for (const client of server.clients) client.terminate();
      for (const socket of raw) socket.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
  server.on('connection', (socket, request) => {
    const session = startSession(socket, request, options, fake.sessions.length, (event) => {
      waiters = waiters.filter(({ matches, resolve }) => {
        if (!matches(event, session)) return true;
        resolve(event);
        return false;
      });
    });
    fake.sessions.push(session);
  });
  return fake;
}

type Response = { id: string; itemId: string; timers: NodeJS.Timeout[]; isOver: boolean };

function startSession(
  socket: WebSocket,
  request: IncomingMessage,
  options: FakeOptions,
  nth: number,
  seen: (event: ClientEvent) => void,
): FakeSession {
  const { shape = 'ga', silenceMs = 300, speed = Infinity } = options;
  const isGa = shape === 'ga';
  const timers = new Set<NodeJS.Timeout>();
  let input: Codec | 'pcm' | undefined;
  let output: Codec | 'pcm' | undefined;
  let detects = false;
  let speaks = true;
  let response: Response | undefined;
  let [turn, heardMs, uncommittedMs] = [0, 0, 0];
  let speech: { item: string; quietMs: number; loudMs: number; started: boolean } | undefined;

  const session: FakeSession = {
    events: [],
    headers: request.headers,
    url: request.url ?? '',
    heardMs: () => heardMs,
    errors: [],
    items: new Map(),
    send: (event) => socket.send(JSON.stringify({ event_id: randomUUID(), ...event })),
    sendRaw: (text) => socket.send(text),
    die: () => socket.terminate(),
  };
  const { send } = session;

  function later(ms: number, run: () => void): NodeJS.Timeout {
    const timer = setTimeout(() => {
      timers.delete(timer);
      if (socket.readyState === 1) run();
    }, ms);
    timers.add(timer);
    return timer;
  }

  function refuse(event: ClientEvent, code: string, message: string): void {
    session.errors.push(code);
    const eventId = options.namesNoEvent === true ? null : (event.event_id ?? null);
    send({ type: 'error', error: { type: 'invalid_request_error', code, message, event_id: eventId } });
  }

  function configure(event: ClientEvent): void {
    const wanted = event['session'] as AnyJson;
    if (isGa !== (wanted['type'] === 'realtime')) return refuse(event, 'invalid_type', 'session.type does not fit');
    const inputFormat = isGa ? wanted['audio']?.input?.format?.type : wanted['input_audio_format'];
    const outputFormat = isGa ? wanted['audio']?.output?.format?.type : wanted['output_audio_format'];
    const detection = isGa ? wanted['audio']?.input?.turn_detection : wanted['turn_detection'];
    const transcription = isGa ? wanted['audio']?.input?.transcription : wanted['input_audio_transcription'];
    if (options.needsTranscriptionModel === true && transcription && transcription.model === undefined) {
      return refuse(event, 'missing_model', 'transcription needs a model');
    }
    for (const format of [inputFormat, outputFormat]) {
      if (format === undefined) continue;
      if (!(format in formats) || (options.pcmOnly === true && formats[format] !== 'pcm')) {
        return refuse(event, 'invalid_format', `no format ${format}`);
      }
    }
    const modalities = (isGa ? wanted['output_modalities'] : wanted['modalities']) as string[] | undefined;
    if (modalities) speaks = modalities.includes('audio');
    if (inputFormat) input = formats[inputFormat];
    if (outputFormat) output = formats[outputFormat];
    if (detection !== undefined) detects = detection !== null;
    send({ type: 'session.updated', session: wanted });
  }

  function finish(status: string): void {
    const ended = response;
    if (!ended || ended.isOver) return;
    ended.isOver = true;
    for (const timer of ended.timers) clearTimeout(timer);
    response = undefined;
    const usage = { input_tokens: 10, output_tokens: 20, total_tokens: 30 };
    send({ type: 'response.done', response: { id: ended.id, status, usage } });
  }

  function soundOf(ms: number, hertz: number): Buffer {
    if (output !== 'pcm') return Buffer.from(tone(output ?? 'PCMU', hertz, ms));
    const pcm = Int16Array.from({ length: ms * 24 }, (_, at) =>
      Math.round(6500 * Math.sin((2 * Math.PI * hertz * at) / 24_000)),
    );
    return Buffer.from(pcm.buffer);
  }

  function say(answer: FakeAnswer, current: Response): void {
    const { id, itemId } = current;
    const ids = { response_id: id, item_id: itemId, output_index: 0, content_index: 0 };
    const audio = isGa ? 'response.output_audio' : 'response.audio';
    const totalMs = answer.audioMs ?? answer.text.length * 60;
    const bytesPerMs = output === 'pcm' ? 48 : 8;
    const sound = soundOf(totalMs, answer.hertz ?? 1000);
    const pieceMs = 100;
    session.items.set(itemId, { ms: 0 });
    const piece = (at: number): void => {
      const bytes = sound.subarray(at * bytesPerMs, (at + pieceMs) * bytesPerMs);
      session.items.get(itemId)!.ms += bytes.length / bytesPerMs;
      send({ type: `${audio}.delta`, ...ids, delta: bytes.toString('base64') });
      const from = Math.round((at / totalMs) * answer.text.length);
      const to = Math.round((Math.min(totalMs, at + pieceMs) / totalMs) * answer.text.length);
      send({ type: `${audio}_transcript.delta`, ...ids, delta: answer.text.slice(from, to) });
    };
    const end = (): void => {
      send({ type: `${audio}.done`, ...ids });
      send({ type: `${audio}_transcript.done`, ...ids, transcript: answer.text });
      callTools(answer, current);
      finish('completed');
    };
    const pieces = Array.from({ length: Math.ceil(totalMs / pieceMs) }, (_, index) => index * pieceMs);
    if (speed === Infinity) {
      for (const at of pieces) piece(at);
      return end();
    }
    for (const at of pieces) current.timers.push(later(at / speed, () => piece(at)));
    current.timers.push(later(totalMs / speed + 1, end));
  }

  function write(answer: FakeAnswer, current: Response): void {
    const ids = { response_id: current.id, item_id: current.itemId, output_index: 0, content_index: 0 };
    const text = isGa ? 'response.output_text' : 'response.text';
    for (let at = 0; at < answer.text.length; at += 5)
      send({ type: `${text}.delta`, ...ids, delta: answer.text.slice(at, at + 5) });
    send({ type: `${text}.done`, ...ids, text: answer.text });
    callTools(answer, current);
    finish('completed');
  }

  function callTools({ tools = [] }: FakeAnswer, { id }: Response): void {
    for (const { name, args } of tools) {
      const item = { id: randomUUID(), type: 'function_call', name, call_id: `call_${randomUUID().slice(0, 8)}` };
      const text = typeof args === 'string' ? args : JSON.stringify(args);
      send({ type: 'response.output_item.added', response_id: id, item: { ...item, arguments: '' } });
      for (let at = 0; at < text.length; at += 7) {
        send({
          type: 'response.function_call_arguments.delta',
          item_id: item.id,
          call_id: item.call_id,
          delta: text.slice(at, at + 7),
        });
      }
      send({ type: 'response.function_call_arguments.done', item_id: item.id, call_id: item.call_id, arguments: text });
      send({ type: 'response.output_item.done', response_id: id, item: { ...item, arguments: text } });
    }
  }

  function respond(instructions: string | undefined): void {
    const answer = options.answer?.({ instructions, turn, session }) ?? { text: instructions ?? `answer ${turn}` };
    if (answer.never === true) return;
    const current: Response = { id: `resp_${randomUUID()}`, itemId: `item_${randomUUID()}`, timers: [], isOver: false };
    response = current;
    send({ type: 'response.created', response: { id: current.id, status: 'in_progress' } });
    if (answer.text === '') {
      callTools(answer, current);
      finish('completed');
    } else if (speaks) say(answer, current);
    else write(answer, current);
  }

  function hearTurn(item: string): void {
    turn += 1;
    uncommittedMs = 0;
    send({ type: 'input_audio_buffer.committed', item_id: item });
    const transcript = options.heard?.(turn) ?? `turn ${turn}`;
    send({
      type: 'conversation.item.input_audio_transcription.completed',
      item_id: item,
      content_index: 0,
      transcript,
    });
  }

  function detect(loud: boolean, ms: number): void {
    if (!detects) return;
    speech ??= { item: `item_${randomUUID()}`, quietMs: 0, loudMs: 0, started: false };
    speech.loudMs = loud ? speech.loudMs + ms : speech.started ? speech.loudMs : 0;
    speech.quietMs = loud ? 0 : speech.quietMs + ms;
    if (!speech.started && speech.loudMs >= 60) {
      speech.started = true;
      send({
        type: 'input_audio_buffer.speech_started',
        item_id: speech.item,
        audio_start_ms: heardMs - speech.loudMs,
      });
      finish('cancelled');
    } else if (speech.started && speech.quietMs >= silenceMs) {
      const { item } = speech;
      speech = undefined;
      send({ type: 'input_audio_buffer.speech_stopped', item_id: item, audio_end_ms: heardMs - silenceMs });
      hearTurn(item);
      if (!response) respond(undefined);
    }
  }

  function append(event: ClientEvent): void {
    const bytes = Buffer.from(event['audio'] as string, 'base64');
    if (!input) return refuse(event, 'no_session', 'the session has no format');
    const pcm = input === 'pcm' ? new Int16Array(Uint8Array.from(bytes).buffer) : decode(input, bytes);
    const ms = pcm.length / (input === 'pcm' ? 24 : 8);
    if (ms > 101) refuse(event, 'append_too_long', `${ms} ms at once`);
    heardMs += ms;
    uncommittedMs += ms;
    const window = input === 'pcm' ? 480 : 160;
    for (let at = 0; at < pcm.length; at += window) {
      const part = pcm.subarray(at, at + window);
      detect(isLoud(part), part.length / (input === 'pcm' ? 24 : 8));
    }
  }

  function truncate(event: ClientEvent): void {
    const item = session.items.get(event['item_id'] as string);
    const endMs = event['audio_end_ms'] as number;
    if (!item) return refuse(event, 'item_not_found', 'no such item');
    if (!Number.isInteger(endMs) || endMs <= 0 || endMs > item.ms) {
      return refuse(event, 'invalid_value', `Audio content of ${item.ms} ms is already shorter than ${endMs} ms`);
    }
    item.truncatedMs = endMs;
    send({ type: 'conversation.item.truncated', item_id: event['item_id'], content_index: 0, audio_end_ms: endMs });
  }

  function receive(event: ClientEvent): void {
    switch (event.type) {
      case 'session.update':
        return configure(event);
      case 'input_audio_buffer.append':
        return append(event);
      case 'input_audio_buffer.commit':
        if (uncommittedMs < 100) return refuse(event, 'input_audio_buffer_commit_empty', 'less than 100 ms');
        return hearTurn(`item_${randomUUID()}`);
      case 'response.create':
        if (response) return refuse(event, 'conversation_already_has_active_response', 'one is running');
        return respond(event['response']?.instructions);
      case 'response.cancel':
        if (!response) return refuse(event, 'response_cancel_not_active', 'none is running');
        return finish('cancelled');
      case 'conversation.item.truncate':
        return truncate(event);
      case 'conversation.item.create':
        return send({ type: 'conversation.item.added', item: event['item'] });
      default:
        return refuse(event, 'unknown_event', event.type);
    }
  }

  socket.on('message', (data) => {
    const event = { ...JSON.parse((data as Buffer).toString('utf8')), atMs: performance.now() } as ClientEvent;
    session.events.push(event);
    if (options.refuses?.includes(event.type)) refuse(event, 'refused', 'this server does not do that');
    else if (!options.ignores?.includes(event.type)) receive(event);
    seen(event);
  });
  socket.on('close', () => {
    for (const timer of timers) clearTimeout(timer);
  });
  const created = (): void =>
    send({
      type: 'session.created',
      session: isGa ? { type: 'realtime', id: randomUUID() } : { id: randomUUID(), input_audio_format: 'pcm16' },
    });
  const mayBegin = options.created?.(nth);
  if (mayBegin) void mayBegin.then(created);
  else created();
  return session;
}
