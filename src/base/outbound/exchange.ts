import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';
import { onceAborted } from './aborted.ts';
import type { Borrower, Connection, Connections } from './connections.ts';
import { OutboundError, type OutboundReason, detailOf, stopping } from './errors.ts';
import { Start } from './start.ts';

/** Where a request goes. `host` with its port, for people. */
export type Target = { origin: string; host: string; path: string };

export type OutboundRequest = {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  headers?: Readonly<Record<string, string>>;
  body?: string | Buffer;
  /** For everything together: waiting for a connection, resolving, connecting, sending, headers and body. Real time. */
  timeoutMs: number;
  signal?: AbortSignal | undefined;
  /** The response is read up to here and then cut off, which is a success like its end. Default 64 KiB. */
  maxResponseBytes?: number;
  /** How much of the response is kept. Default 4 KiB. */
  keepBytes?: number;
};

export type OutboundResponse = {
  /** Any status from 200 on; a redirect is answered like the rest, never followed. */
  statusCode: number;
  /** Names in lower case. */
  headers: IncomingHttpHeaders;
  /** The first `keepBytes` of the body. */
  bytes: Buffer;
  /** The same, decoded as UTF-8: bytes that are none become U+FFFD, a cut character is left out. */
  readonly responseStart: string;
  /** Real milliseconds from the call to the end of the response, whole. */
  durationMs: number;
};

const DEFAULT_MAX_RESPONSE_BYTES = 64 * 1024;
const DEFAULT_KEEP_BYTES = 4 * 1024;

const BROKEN_CONNECTION = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'ECONNABORTED', 'EPIPE', 'ETIMEDOUT']);
const CLOSED_CLIENT = new Set(['UND_ERR_DESTROYED', 'UND_ERR_CLOSED']);

/** Puts a failure into the words of this module; those of connecting are in them already. */
function translate(error: Error, host: string): [OutboundReason, string] {
  if (error instanceof OutboundError) return [error.reason, error.message];
  const code = (error as NodeJS.ErrnoException).code ?? '';
  if (CLOSED_CLIENT.has(code)) return ['aborted', stopping];
  if (code.startsWith('ERR_SSL')) return ['tls', `The TLS connection to ${host} failed: ${detailOf(error)}.`];
  if (BROKEN_CONNECTION.has(code)) {
    return ['connect', `The connection to ${host} broke before the response was complete: ${detailOf(error)}.`];
  }
  return ['protocol', `The exchange with ${host} is not valid HTTP: ${detailOf(error)}.`];
}

function timeoutMessage(host: string, timeoutMs: number, wasSent: boolean, statusCode: number | null): string {
  const limit = `${timeoutMs / 1000} s`;
  if (!wasSent) return `No connection to ${host} came about within ${limit}.`;
  if (statusCode === null) return `${host} did not answer within ${limit}.`;
  return `${host} answered ${statusCode}, but the response had not ended after ${limit}.`;
}

/** Mostly nobody looks at the text: it is made when somebody does. */
class Answer implements OutboundResponse {
  readonly statusCode: number;
  readonly headers: IncomingHttpHeaders;
  readonly durationMs: number;
  readonly #start: Start;

  constructor(head: Head, start: Start, durationMs: number) {
    this.statusCode = head.statusCode;
    this.headers = head.headers;
    this.durationMs = durationMs;
    this.#start = start;
  }

  get bytes(): Buffer {
    return this.#start.bytes();
  }

  get responseStart(): string {
    return this.#start.text();
  }
}

type Head = Pick<OutboundResponse, 'statusCode' | 'headers'>;

/**
 * One request and its response on a dispatcher. Written as a dispatch handler because undici's `request` makes a stream per response
 * and knows no limit for the whole: this way one timer does, and a response that is too long ends early. A class, because a dozen
 * closures a request are a good part of what it costs.
 */
class Exchange implements Dispatcher.DispatchHandler, Borrower {
  readonly #answered = Promise.withResolvers<OutboundResponse>();
  readonly #startedAt = performance.now();
  readonly #target: Target;
  readonly #request: OutboundRequest;
  readonly #start: Start;
  readonly #timer: NodeJS.Timeout;
  readonly #stopListening: (() => void) | undefined;
  #connection: Connection | undefined;
  #controller: Dispatcher.DispatchController | undefined;
  #head: Head | undefined;
  #settled = false;

  constructor(target: Target, request: OutboundRequest) {
    this.#target = target;
    this.#request = request;
    this.#start = new Start(request.keepBytes ?? DEFAULT_KEEP_BYTES);
    this.#timer = setTimeout(() => this.#timeOut(), request.timeoutMs); // a network time-out: real time
    const { signal } = request;
    this.#stopListening =
      signal && onceAborted(signal, () => this.#fail('aborted', 'The request was given up.', signal.reason));
  }

  sendOn(connections: Connections): Promise<OutboundResponse> {
    const { signal } = this.#request;
    if (signal?.aborted === true) this.#fail('aborted', 'The request was given up.', signal.reason);
    else connections.lend(this.#target.origin, this);
    return this.#answered.promise;
  }

  get isOver(): boolean {
    return this.#settled;
  }

  begin(connection: Connection): void {
    this.#connection = connection;
    const { method = 'POST', headers = {}, body = null } = this.#request;
    connection.client.dispatch({ path: this.#target.path, method, headers, body }, this);
  }

  refuse(): void {
    this.#fail('aborted', stopping);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#settled) controller.abort(new Error('The request was given up before it was sent.'));
  }

  onResponseStart(_controller: Dispatcher.DispatchController, statusCode: number, headers: IncomingHttpHeaders): void {
    if (statusCode >= 200) this.#head = { statusCode, headers }; // 1xx only announce
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    const most = this.#request.maxResponseBytes ?? DEFAULT_MAX_RESPONSE_BYTES;
    if (this.#settled || this.#start.add(chunk) < most) return;
    this.#answer();
    controller.abort(new Error('The response is longer than is read.'));
  }

  onResponseEnd(): void {
    this.#connection?.giveBack();
    this.#answer();
  }

  onResponseError(_controller: Dispatcher.DispatchController | null, error: Error): void {
    this.#connection?.discard();
    this.#fail(...translate(error, this.#target.host), error);
  }

  #answer(): void {
    if (this.#settled || this.#head === undefined) return;
    this.#settle();
    this.#answered.resolve(new Answer(this.#head, this.#start, this.#durationMs()));
  }

  #timeOut(): void {
    const { host } = this.#target;
    const wasSent = this.#controller !== undefined;
    this.#fail('timeout', timeoutMessage(host, this.#request.timeoutMs, wasSent, this.#head?.statusCode ?? null));
  }

  #fail(reason: OutboundReason, message: string, cause?: unknown): void {
    if (this.#settled) return;
    this.#settle();
    const error = new OutboundError(reason, message, {
      cause,
      durationMs: this.#durationMs(),
      statusCode: this.#head?.statusCode ?? null,
      sent: this.#controller !== undefined,
    });
    this.#answered.reject(error);
    this.#controller?.abort(error);
  }

  #settle(): void {
    this.#settled = true;
    clearTimeout(this.#timer);
    this.#stopListening?.();
  }

  #durationMs(): number {
    return Math.round(performance.now() - this.#startedAt);
  }
}

/** Sends a request; rejects with an OutboundError. */
export const exchange = (
  connections: Connections,
  target: Target,
  request: OutboundRequest,
): Promise<OutboundResponse> => new Exchange(target, request).sendOn(connections);
