/**
 * Why a request got no usable answer. `connect` covers connections that cannot be made and those that break before the
 * response is complete; `protocol` what is not HTTP.
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
  /** Real milliseconds from the call to the failure, whole. */
  readonly durationMs: number;
  /** The status, when the failure came after the response's headers. */
  readonly statusCode: number | null;
  /** Whether some of the request may have left. False: nothing did, so the other side cannot have heard of it. */
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

/** Said of requests that meet a closed client. */
export const stopping = 'The request was given up because the server is stopping.';

/** The words of a system error; an AggregateError (one failure per address tried) has them only in its parts. */
export function detailOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(detailOf).join('; ');
  return error instanceof Error && error.message !== '' ? error.message : String(error);
}
