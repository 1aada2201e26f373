import { type Client, type Operation, type Request, send } from './request.ts';
import { backoffMs, wait } from './wait.ts';

const defaultRetries = 2;
/** A server that wants a longer pause is left to the caller, who sees it in `retryAfterSec`. */
const maxPauseMs = 30_000;

/** Sends a request, and again when that cannot do harm: when the server refused it as busy, or executes it only once. */
export async function sendWithRetries(client: Client, operation: Operation, request: Request): Promise<Response> {
  const retries = client.retries ?? defaultRetries;
  const keyed: Request =
    operation.keyed && retries > 0 && request.idempotencyKey === undefined
      ? { ...request, idempotencyKey: randomKey() }
      : request;
  for (let attempt = 0; ; attempt++) {
    const last = attempt >= retries;
    const outcome = await send(client, operation, keyed).catch((error: unknown) => {
      if (last || request.signal?.aborted || !isRepeatable(operation)) throw error;
      return undefined;
    });
    const pauseMs = outcome ? await pauseAfter(outcome, operation, attempt) : backoffMs(attempt, maxPauseMs);
    if (outcome && (last || pauseMs === undefined)) return outcome;
    await outcome?.body?.cancel();
    await wait(pauseMs!, request.signal);
  }
}

/** How long to wait before repeating an answered request; undefined if it is not to be repeated. */
async function pauseAfter(response: Response, operation: Operation, attempt: number): Promise<number | undefined> {
  const header = Number(response.headers.get('retry-after') ?? NaN);
  const pauseMs = Number.isNaN(header) ? backoffMs(attempt, maxPauseMs) : header * 1000;
  if (pauseMs > maxPauseMs) return undefined;
  return (await isWorthRepeating(response, operation)) ? pauseMs : undefined;
}

async function isWorthRepeating(response: Response, operation: Operation): Promise<boolean> {
  switch (response.status) {
    case 429:
    case 503: // refused before it was executed
      return true;
    case 502:
    case 504: // from a proxy: the server may have executed it
      return isRepeatable(operation);
    case 409: // an earlier attempt is still running
      return operation.keyed === true && (await response.clone().text()).includes('"IDEMPOTENCY_IN_PROGRESS"');
    default:
      return false;
  }
}

/** Whether executing a request twice has the same effect as once. */
const isRepeatable = ({ method, keyed }: Operation): boolean =>
  keyed === true || method === 'GET' || method === 'HEAD' || method === 'PUT';

/** Not `crypto.randomUUID`, which browsers have on secure origins only. */
const randomKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
