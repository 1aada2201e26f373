import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';
import { BodyPrefix } from './body-prefix.ts';
import { OutboundError, type OutboundReason, detailOf, stoppingMessage } from './errors.ts';
import type { Pools } from './pools.ts';

/** Where a request goes. `host`, with its port, is for messages. */
export type Target = { origin: string; host: string; path: string };

export type OutboundRequest = {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  headers?: Readonly<Record<string, string>>;
  body?: string | Buffer;
  /** Real milliseconds for the whole exchange: waiting for a connection, resolving, connecting, sending and reading. */
  timeoutMs: number;
  /** The response body is cut off after this many bytes, and still counts as complete. Default 64 KiB. */
  maxResponseBytes?: number;
  /** How much of the response body is kept. Default 4 KiB. */
  keepBytes?: number;
};

/** Asked directly before a request is written to its connection, which it may have waited for. */
export type MaySend = () => boolean;

export type OutboundResponse = {
  /** Any status from 200 on. Redirects are returned, never followed. */
  statusCode: number;
  /** Header values by lower-case name. */
  headers: IncomingHttpHeaders;
  /** The first `keepBytes` of the body. */
  bytes: Buffer;
  /** `bytes` decoded as UTF-8: invalid bytes become U+FFFD, and a character that is cut in half is left out. */
  readonly responseStart: string;
  /** Whole real milliseconds from the call to the end of the response. */
  durationMs: number;
};

const DEFAULT_MAX_RESPONSE_BYTES = 64 * 1024;
const DEFAULT_KEEP_BYTES = 4 * 1024;

const BROKEN_CONNECTION = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'ECONNABORTED', 'EPIPE', 'ETIMEDOUT']);

/**
 * undici refuses such a header, and its pool then counts the connection as busy for good. Customers' keys are sent in headers, so a few
 * hundred bad ones would block an origin.
 */
const INVALID_IN_HEADER = /[^\t\u0020-\u007e\u0080-\u00ff]/;

const invalidHeaderOf = (headers: Readonly<Record<string, string>>): string | undefined =>
  Object.keys(headers).find((name) => INVALID_IN_HEADER.test(headers[name]!));

/** The reason and the sentence for a failure. The connector's errors already have both. */
function explain(error: Error, host: string): [OutboundReason, string] {
  if (error instanceof OutboundError) return [error.reason, error.message];
  const code = (error as NodeJS.ErrnoException).code ?? '';
  if (code === 'UND_ERR_DESTROYED') return ['aborted', stoppingMessage];
  if (code.startsWith('ERR_SSL')) return ['tls', `The TLS connection to ${host} failed: ${detailOf(error)}.`];
  if (BROKEN_CONNECTION.has(code)) {
    return ['connect', `The connection to ${host} broke before the response was complete: ${detailOf(error)}.`];
  }
  return ['protocol', `The exchange with ${host} is not valid HTTP: ${detailOf(error)}.`];
}

function timeoutMessage(host: string, timeoutMs: number, wasSent: boolean, statusCode: number | null): string {
  const limit = `${timeoutMs / 1000} s`;
  if (!wasSent) return `No connection to ${host} was made within ${limit}.`;
  if (statusCode === null) return `${host} did not answer within ${limit}.`;
  return `${host} answered ${statusCode}, but the response had not ended after ${limit}.`;
}

/** Decodes its text on demand, because most callers never read it. */
class BufferedResponse implements OutboundResponse {
  readonly statusCode: number;
  readonly headers: IncomingHttpHeaders;
  readonly durationMs: number;
  readonly #body: BodyPrefix;

  constructor(head: Head, body: BodyPrefix, durationMs: number) {
    this.statusCode = head.statusCode;
    this.headers = head.headers;
    this.durationMs = durationMs;
    this.#body = body;
  }

  get bytes(): Buffer {
    return this.#body.bytes();
  }

  get responseStart(): string {
    return this.#body.text();
  }
}

type Head = Pick<OutboundResponse, 'statusCode' | 'headers'>;

/**
 * One request and its response. A dispatch handler, because undici's `request` creates a stream per response and has no time-out for
 * the whole exchange; here one timer covers it, and a response that is too long ends early. A class, because a dozen closures per
 * request would be a good part of its cost.
 */
class Exchange implements Dispatcher.DispatchHandler {
  readonly #result = Promise.withResolvers<OutboundResponse>();
  readonly #startedAt = performance.now();
  readonly #target: Target;
  readonly #request: OutboundRequest;
  readonly #body: BodyPrefix;
  readonly #timer: NodeJS.Timeout;
  readonly #maySend: MaySend;
  #controller: Dispatcher.DispatchController | undefined;
  #head: Head | undefined;
  #settled = false;

  constructor(target: Target, request: OutboundRequest, maySend: MaySend) {
    this.#target = target;
    this.#maySend = maySend;
    this.#request = request;
    this.#body = new BodyPrefix(request.keepBytes ?? DEFAULT_KEEP_BYTES);
    this.#timer = setTimeout(() => this.#timeOut(), request.timeoutMs); // network time-outs run on real time
  }

  sendOn(pools: Pools): Promise<OutboundResponse> {
    const { method = 'POST', headers = {}, body = null } = this.#request;
    const invalidHeader = invalidHeaderOf(headers);
    if (invalidHeader !== undefined) this.onResponseError(null, new Error(`invalid ${invalidHeader} header`));
    else pools.dispatch(this.#target.origin, { path: this.#target.path, method, headers, body }, this);
    return this.#result.promise;
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (!this.#settled && !this.#maySend()) this.#fail('aborted', 'Nothing was sent: this server may not send now.');
    const wasSettled = this.#settled;
    this.#controller = controller;
    if (wasSettled) controller.abort(new Error('The request was given up before it was sent.'));
  }

  onResponseStart(_controller: Dispatcher.DispatchController, statusCode: number, headers: IncomingHttpHeaders): void {
    if (statusCode >= 200) this.#head = { statusCode, headers }; // a 1xx is followed by the actual response
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    const maxBytes = this.#request.maxResponseBytes ?? DEFAULT_MAX_RESPONSE_BYTES;
    if (this.#settled || this.#body.add(chunk) < maxBytes) return;
    this.#succeed();
    controller.abort(new Error('The response is longer than its limit.'));
  }

  onResponseEnd(): void {
    this.#succeed();
  }

  onResponseError(_controller: Dispatcher.DispatchController | null, error: Error): void {
    this.#fail(...explain(error, this.#target.host), error);
  }

  #succeed(): void {
    if (this.#settled || this.#head === undefined) return;
    this.#settle();
    this.#result.resolve(new BufferedResponse(this.#head, this.#body, this.#durationMs()));
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
    this.#result.reject(error);
    this.#controller?.abort(error);
  }

  #settle(): void {
    this.#settled = true;
    clearTimeout(this.#timer);
  }

  #durationMs(): number {
    return Math.round(performance.now() - this.#startedAt);
  }
}

/** Sends a request; rejects with an OutboundError. */
export const exchange = (
  pools: Pools,
  target: Target,
  request: OutboundRequest,
  maySend: MaySend = () => true,
): Promise<OutboundResponse> => new Exchange(target, request, maySend).sendOn(pools);
