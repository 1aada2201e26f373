import { AppError, type ErrorKind, messageOf } from '../../base/errors.ts';
import type { Log } from '../../base/log.ts';
import { StorageRefusal, unreachable } from '../../db/storage.ts';

/** HTTP status and `code` of each kind of error (docs/api/http.md, "Errors"). 408, 417 and 431 answer requests that end before routing. */
export const statuses: Readonly<Record<ErrorKind, { status: number; code?: string }>> = {
  invalid: { status: 400, code: 'INVALID_REQUEST' },
  unauthenticated: { status: 401 },
  forbidden: { status: 403, code: 'FORBIDDEN' },
  not_found: { status: 404, code: 'NOT_FOUND' },
  method_not_allowed: { status: 405, code: 'METHOD_NOT_ALLOWED' },
  request_timeout: { status: 408, code: 'REQUEST_TIMEOUT' },
  conflict: { status: 409, code: 'CONFLICT' },
  not_connected: { status: 409, code: 'NOT_CONNECTED' },
  idempotency_in_progress: { status: 409, code: 'IDEMPOTENCY_IN_PROGRESS' },
  precondition_failed: { status: 412, code: 'PRECONDITION_FAILED' },
  too_large: { status: 413, code: 'PAYLOAD_TOO_LARGE' },
  unsupported_media_type: { status: 415, code: 'UNSUPPORTED_MEDIA_TYPE' },
  expectation_failed: { status: 417, code: 'EXPECTATION_FAILED' },
  idempotency_mismatch: { status: 422, code: 'IDEMPOTENCY_MISMATCH' },
  rate_limited: { status: 429, code: 'RATE_LIMITED' },
  headers_too_large: { status: 431, code: 'HEADERS_TOO_LARGE' },
  internal: { status: 500, code: 'INTERNAL_ERROR' },
  provider: { status: 502, code: 'PROVIDER_ERROR' },
  unavailable: { status: 503, code: 'UNAVAILABLE' },
};

export type ErrorAnswer = {
  status: number;
  headers: Readonly<Record<string, string>>;
  body: { success: false; message: string; code?: string; details?: AppError['details']; data?: object };
};

/** Maps a thrown value to its answer. Unexpected errors are logged with the request id, and the answer reveals nothing of them. */
export function errorAnswer(error: unknown, requestId: string, log: Log): ErrorAnswer {
  const appError = toAppError(error);
  if (appError.kind === 'internal') log.error({ err: error, requestId }, 'request failed');
  // Operators must hear of failing storage; a server that is starting or draining (no cause) is normal.
  else if (appError.kind === 'unavailable' && appError.cause !== undefined) {
    log.error({ err: appError.cause, requestId }, 'request refused');
  }
  const message =
    appError.kind === 'internal'
      ? `Something went wrong on our side. The server's log has the details under request id ${requestId}.`
      : appError.message;
  const { status, code } = statuses[appError.kind];
  return {
    status,
    headers: appError.headers,
    body: {
      success: false,
      message,
      ...(code !== undefined && !appError.codeless ? { code } : {}),
      ...(appError.details ? { details: appError.details } : {}),
      ...(appError.data ? { data: appError.data } : {}),
    },
  };
}

/** The HTTP status that answers a thrown value. */
export const statusOf = (error: unknown): number => statuses[toAppError(error).kind].status;

function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (error instanceof StorageRefusal)
    return new AppError('unavailable', refusalMessage(error), { cause: error, headers: { 'Retry-After': '1' } });
  return new AppError('internal', messageOf(error), { cause: error });
}

function refusalMessage({ message, isUncertain }: StorageRefusal): string {
  if (!message.startsWith(unreachable))
    return `The server cannot write to its storage right now. ${isUncertain ? 'The change may or may not have been stored' : 'Nothing was changed'}; reads still work.`;
  return isUncertain
    ? 'The database cannot be reached right now. The change may have been made: repeat the request with the same Idempotency-Key to find out.'
    : 'The database cannot be reached right now. Nothing was changed.';
}
