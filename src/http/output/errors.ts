import { AppError, type ErrorKind, messageOf } from '../../base/errors.ts';
import type { Log } from '../../base/log.ts';
import { StorageRefusal } from '../../db/storage.ts';

/** HTTP status and code of each kind (contract, section 1, the table of error codes); 408, 417 and 431 are of what is no whole request. */
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
  body: { success: false; message: string; code?: string; details?: AppError['details'] };
};

/** What a thrown thing is answered with. What nobody expected is logged with the request id, and shows nothing of the inside. */
export function errorAnswer(error: unknown, requestId: string, log: Log): ErrorAnswer {
  const known = knownError(error);
  if (known.kind === 'internal') log.error({ err: error, requestId }, 'request failed');
  // Storage that refuses is the operator's to mend; that the server is starting or draining is no news.
  else if (known.kind === 'unavailable' && known.cause !== undefined) {
    log.error({ err: known.cause, requestId }, 'request refused');
  }
  const message =
    known.kind === 'internal'
      ? `Something went wrong on our side. The log names it as request ${requestId}.`
      : known.message;
  const { status, code } = statuses[known.kind];
  return {
    status,
    headers: known.headers,
    body: {
      success: false,
      message,
      ...(code !== undefined && !known.codeless ? { code } : {}),
      ...(known.details ? { details: known.details } : {}),
    },
  };
}

/** Whether a thrown thing is answered with a status from 500 on. */
export const isOurFault = (error: unknown): boolean => statuses[knownError(error).kind].status >= 500;

function knownError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (error instanceof StorageRefusal) {
    return new AppError('unavailable', 'The storage refuses writes just now; nothing was changed. Reading works.', {
      cause: error,
    });
  }
  return new AppError('internal', messageOf(error), { cause: error });
}
