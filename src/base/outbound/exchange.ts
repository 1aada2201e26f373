import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';
import { OutboundError, type OutboundReason, detailOf, stopping } from './errors.ts';

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

/** The first `limit` bytes of what it is fed; counts the rest. */
function createStart(limit: number) {
  const chunks: Buffer[] = [];
  let seen = 0;
  return {
    /** Takes a chunk and answers how many bytes have been seen. */
    add(chunk: Buffer): number {
      if (seen < limit) chunks.push(chunk.subarray(0, limit - seen));
      seen += chunk.length;
      return seen;
    },
    bytes: (): Buffer => Buffer.concat(chunks),
    isCut: (): boolean => seen > limit,
  };
}

/** Mostly nobody looks: the text is made when somebody does. */
function responseOf(
  head: Pick<OutboundResponse, 'statusCode' | 'headers'>,
  start: ReturnType<typeof createStart>,
  durationMs: number,
): OutboundResponse {
  const bytes = start.bytes();
  return {
    ...head,
    bytes,
    durationMs,
    get responseStart() {
      return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes, { stream: start.isCut() });
    },
  };
}

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

/**
 * One request and its response on a dispatcher. Written as a dispatch handler because undici's `request` makes a stream
 * per response and knows no limit for the whole: this way one timer does, and a response that is too long ends early.
 * Rejects with an OutboundError.
 */
export function exchange(dispatcher: Dispatcher, url: URL, request: OutboundRequest): Promise<OutboundResponse> {
  const { timeoutMs, signal, maxResponseBytes = DEFAULT_MAX_RESPONSE_BYTES } = request;
  return new Promise((resolve, reject) => {
    const startedAt = performance.now();
    const durationMs = (): number => Math.round(performance.now() - startedAt);
    const start = createStart(request.keepBytes ?? DEFAULT_KEEP_BYTES);
    let controller: Dispatcher.DispatchController | undefined;
    let head: Pick<OutboundResponse, 'statusCode' | 'headers'> | undefined;
    let settled = false;

    const settle = (): void => {
      settled = true;
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
    };
    const fail = (reason: OutboundReason, message: string, cause?: unknown): void => {
      if (settled) return;
      settle();
      const error = new OutboundError(reason, message, {
        cause,
        durationMs: durationMs(),
        statusCode: head?.statusCode ?? null,
        sent: controller !== undefined,
      });
      reject(error);
      controller?.abort(error);
    };
    const succeed = (): void => {
      if (settled || head === undefined) return;
      settle();
      resolve(responseOf(head, start, durationMs()));
    };
    const onAbort = (): void => fail('aborted', 'The request was given up.', signal?.reason);
    const onTimeout = (): void =>
      fail('timeout', timeoutMessage(url.host, timeoutMs, controller !== undefined, head?.statusCode ?? null));
    const timer = setTimeout(onTimeout, timeoutMs); // a network time-out: real time
    signal?.addEventListener('abort', onAbort);
    if (signal?.aborted === true) return onAbort();

    dispatcher.dispatch(
      {
        origin: url.origin,
        path: url.pathname + url.search,
        method: request.method ?? 'POST',
        headers: request.headers ?? {},
        body: request.body ?? null,
      },
      {
        onRequestStart(started) {
          controller = started;
          if (settled) started.abort(new Error('The request was given up before it was sent.'));
        },
        onResponseStart(_controller, statusCode, headers) {
          if (statusCode >= 200) head = { statusCode, headers }; // 1xx only announce
        },
        onResponseData(current, chunk) {
          if (settled || start.add(chunk) < maxResponseBytes) return;
          succeed();
          current.abort(new Error('The response is longer than is read.'));
        },
        onResponseEnd: succeed,
        onResponseError(_controller, error) {
          fail(...translate(error, url.host), error);
        },
      },
    );
  });
}
