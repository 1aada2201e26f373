import { type Client, type Operation, type Request, send } from './request.ts';
import { backoffMs, wait, within } from './wait.ts';

const defaultRetries = 2;
/** A server that wants a longer pause is left to the caller, who sees it in `retryAfterSec`. */
const maxPauseMs = 30_000;
const defaultTimeoutMs = 300_000;
/** parley takes uploads from 8 KiB a second on. */
const uploadTimeoutMs = 3_600_000;

/** An answer that was read to its end. */
export type Received = { response: Response; text: string };

/** Sends a request, and again when that cannot do harm: when the server refused it as busy, or executes it only once. */
export async function sendWithRetries(client: Client, operation: Operation, request: Request): Promise<Received> {
  const retries = client.retries ?? defaultRetries;
  const keyed: Request =
    operation.keyed && retries > 0 && request.idempotencyKey === undefined
      ? { ...request, idempotencyKey: randomKey() }
      : request;
  for (let attempt = 0; ; attempt++) {
    const last = attempt >= retries;
    const outcome = await receive(client, operation, keyed).catch((error: unknown) => {
      if (last || request.signal?.aborted || !isRepeatable(operation)) throw error;
      return undefined;
    });
    const pauseMs = outcome ? pauseAfter(outcome, operation, attempt) : backoffMs(attempt, maxPauseMs);
    if (outcome && (last || pauseMs === undefined)) return outcome;
    await wait(pauseMs!, request.signal);
  }
}

/** @throws when the server cannot be reached, cuts its answer short, or takes too long */
const receive = (client: Client, operation: Operation, request: Request): Promise<Received> =>
  within(client.timeoutMs ?? timeoutFor(operation, request), request.signal, async (signal) => {
    const response = await send(client, operation, { ...request, signal });
    return { response, text: await response.text() };
  });

const timeoutFor = ({ contentType }: Operation, { body }: Request): number =>
  contentType !== undefined || body instanceof FormData ? uploadTimeoutMs : defaultTimeoutMs;

/** How long to wait before repeating an answered request; undefined if it is not to be repeated. */
function pauseAfter({ response, text }: Received, operation: Operation, attempt: number): number | undefined {
  const header = Number(response.headers.get('retry-after') ?? NaN);
  const pauseMs = Number.isNaN(header) ? backoffMs(attempt, maxPauseMs) : header * 1000;
  if (pauseMs > maxPauseMs) return undefined;
  return isWorthRepeating(response.status, text, operation) ? pauseMs : undefined;
}

function isWorthRepeating(status: number, text: string, operation: Operation): boolean {
  switch (status) {
    case 429:
    case 503: // refused before it was executed
      return !changesWithoutKey(operation);
    case 502:
    case 504: // from a proxy: the server may have executed it
      return isRepeatable(operation);
    case 409: // an earlier attempt is still running
      return operation.keyed === true && text.includes('"IDEMPOTENCY_IN_PROGRESS"');
    default:
      return false;
  }
}

/** A log-in or the use of a set-up link. Other POST requests without a key only read. */
const changesWithoutKey = ({ method, keyed, access }: Operation): boolean =>
  method === 'POST' && keyed !== true && access === 'public';

/** Whether executing a request twice has the same effect as once. */
const isRepeatable = ({ method, keyed }: Operation): boolean =>
  keyed === true || method === 'GET' || method === 'HEAD' || method === 'PUT';

/** Not `crypto.randomUUID`, which browsers have on secure origins only. */
const randomKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
