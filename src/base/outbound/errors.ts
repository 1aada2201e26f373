/**
 * Why a request got no usable response. `connect` covers connections that cannot be made or that break before the response is
 * complete; `protocol` covers responses that are not HTTP; `aborted` means that the server is stopping.
 */
export type OutboundReason = 'refused_address' | 'timeout' | 'dns' | 'connect' | 'tls' | 'protocol' | 'aborted';

export type OutboundErrorOptions = {
  cause?: unknown;
  durationMs?: number;
  statusCode?: number | null;
  sent?: boolean;
};

/** A request that failed. The message is a sentence that may be shown to the person who configured the URL. */
export class OutboundError extends Error {
  readonly reason: OutboundReason;
  /** Whole real milliseconds from the call to the failure. */
  readonly durationMs: number;
  /** The response's status, if its headers arrived before the failure. */
  readonly statusCode: number | null;
  /** False: not a byte of the request left, so it is safe to send it again. True: the other side may have received it. */
  readonly sent: boolean;

  constructor(reason: OutboundReason, message: string, options: OutboundErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'OutboundError';
    this.reason = reason;
    this.durationMs = options.durationMs ?? 0;
    this.statusCode = options.statusCode ?? null;
    this.sent = options.sent ?? false;
  }
}

type SystemError = { code?: string; address?: string; port?: number };

/** Errors of sockets and names that people meet, in words. */
const wordsOf: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing accepts connections there',
  ECONNRESET: 'the other side closed the connection',
  EPIPE: 'the other side closed the connection',
  ECONNABORTED: 'the connection was broken off',
  ETIMEDOUT: 'nothing answers there',
  EHOSTUNREACH: 'the address cannot be reached',
  ENETUNREACH: 'the network of the address cannot be reached',
  ENOTFOUND: 'there is no such name',
  EAI_AGAIN: 'the name server does not answer',
};

/** The message for requests that fail because their client has been closed. */
export const stoppingMessage = 'The request was given up because the server is stopping.';

/** The text of a system error. An AggregateError, which has one error per address tried, has text only in its parts. */
export function detailOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(detailOf).join('; ');
  const { code = '', address, port } = (error instanceof Error ? error : {}) as SystemError;
  const words = wordsOf[code];
  if (words !== undefined) return `${words} (${code}${address === undefined ? '' : ` ${address}:${port}`})`;
  return error instanceof Error && error.message !== '' ? error.message : String(error);
}
