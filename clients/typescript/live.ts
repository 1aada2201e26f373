import { type Client, ParleyError } from './client.ts';
import { send } from './request.ts';
import { eventsIn, type ServerSentEvent } from './server-sent-events.ts';
import { backoffMs, wait } from './wait.ts';

/** `event` is the topic before its colon, or `bye` with a `reason` when the server ends the stream for good. */
export type LiveEvent = {
  event: string;
  data: { topic?: string; now?: string; reason?: string; [field: string]: unknown };
};

export type LiveRequest = {
  /** Up to eight topics, such as `overview` or `campaign:<id>`; `events` has every webhook event. */
  topic: readonly string[];
  /** With the topic `events`: begin behind this event, which is at most a day old. A lost stream continues behind the last one by itself. */
  after?: string;
  signal?: AbortSignal;
  /** Called with true when the stream is open, and with false when it was lost and is being opened again. */
  onConnection?: (isConnected: boolean) => void;
  /** How long the server may take to answer, and may send nothing, before the stream is opened again. Default: 40,000. */
  maxSilenceMs?: number;
};

const maxPauseMs = 10_000;
/** The server sends something at least every 15 s; after this long without anything, the connection is taken for dead. */
const defaultMaxSilenceMs = 40_000;

/**
 * Follows topics until the server ends the stream for good or `signal` aborts. A lost connection is opened again; each topic is then sent
 * whole, so nothing is missed.
 * @throws ParleyError when the stream is refused
 */
export async function* watchLive(client: Client, request: LiveRequest): AsyncGenerator<LiveEvent, void, undefined> {
  const { signal, onConnection, maxSilenceMs = defaultMaxSilenceMs } = request;
  let { after } = request;
  for (let attempt = 0; ; attempt++) {
    const connection = new AbortController();
    const abort = (): void => connection.abort(signal!.reason);
    if (signal?.aborted) return;
    signal?.addEventListener('abort', abort);
    try {
      const response = await open(client, { ...request, after }, connection);
      if (response) {
        onConnection?.(true);
        for await (const event of eventsIn(response.body!, maxSilenceMs)) {
          const live = liveEventOf(event);
          if (live.event === 'bye' && live.data.reason === 'stopping') break;
          attempt = 0; // only now: a server that ends each stream at once is asked less and less often
          yield live;
          if (typeof live.data['event_id'] === 'string') after = live.data['event_id'];
          if (live.event === 'bye') return;
        }
        onConnection?.(false);
      }
    } catch (error) {
      if (signal?.aborted) return;
      if (error instanceof ParleyError) throw error;
      onConnection?.(false);
    } finally {
      signal?.removeEventListener('abort', abort);
      connection.abort();
    }
    await wait(backoffMs(attempt, maxPauseMs), signal).catch(() => undefined);
  }
}

/** Undefined when the server is busy, stopping or starting. @throws ParleyError when the stream is refused */
async function open(
  client: Client,
  request: Omit<LiveRequest, 'after'> & { after: string | undefined },
  connection: AbortController,
): Promise<Response | undefined> {
  const { topic, after, maxSilenceMs = defaultMaxSilenceMs } = request;
  const operation = { method: 'GET', path: '/api/v1/live', access: 'any', answer: 'text' } as const;
  const { signal } = connection;
  const timer = setTimeout(() => connection.abort(), maxSilenceMs);
  try {
    const response = await send(client, operation, {
      query: { topic, ...(after === undefined ? {} : { after }) },
      signal,
    });
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream');
    if (response.ok && isStream && response.body) return response;
    if (response.ok) throw new ParleyError(response, { message: noStream });
    const error = ParleyError.of(response, await response.text());
    if (![429, 502, 503, 504].includes(response.status)) throw error;
    await wait(Math.min(maxPauseMs, 1000 * (error.retryAfterSec ?? 0)), signal);
    return undefined;
  } finally {
    clearTimeout(timer);
  }
}

const noStream = 'The answer is not a stream of events. Is this the address of parley?';

function liveEventOf({ event, data }: ServerSentEvent): LiveEvent {
  const value = JSON.parse(data) as LiveEvent['data'] | null;
  if (typeof value !== 'object' || value === null) throw new Error(`The event ${event} has no data.`);
  return { event, data: value };
}
