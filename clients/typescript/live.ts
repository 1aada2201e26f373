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
  /** Up to eight topics, such as `overview` or `campaign:<id>`. */
  topic: readonly string[];
  signal?: AbortSignal;
  /** Called with true when the stream is open, and with false when it was lost and is being opened again. */
  onConnection?: (isConnected: boolean) => void;
};

const maxPauseMs = 10_000;
/** The server sends something at least every 15 s; after this long without anything, the connection is taken for dead. */
const maxSilenceMs = 40_000;

/**
 * Follows topics until the server ends the stream for good or `signal` aborts. A lost connection is opened again; each topic is then sent
 * whole, so nothing is missed.
 * @throws ParleyError when the stream is refused
 */
export async function* watchLive(client: Client, request: LiveRequest): AsyncGenerator<LiveEvent, void, undefined> {
  const { signal, onConnection } = request;
  for (let attempt = 0; ; attempt++) {
    const connection = new AbortController();
    const abort = (): void => connection.abort(signal!.reason);
    if (signal?.aborted) return;
    signal?.addEventListener('abort', abort);
    try {
      const response = await open(client, request.topic, connection.signal);
      if (response) {
        attempt = 0;
        onConnection?.(true);
        for await (const event of eventsIn(response.body!, maxSilenceMs)) {
          const live = liveEventOf(event);
          if (live.event === 'bye' && live.data.reason === 'stopping') break;
          yield live;
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
async function open(client: Client, topic: readonly string[], signal: AbortSignal): Promise<Response | undefined> {
  const operation = { method: 'GET', path: '/api/v1/live', access: 'any', answer: 'text' } as const;
  const response = await send(client, operation, { query: { topic }, signal });
  if (response.ok && response.body) return response;
  const error = await ParleyError.of(response);
  if (![429, 502, 503, 504].includes(response.status)) throw error;
  await wait(Math.min(maxPauseMs, 1000 * (error.retryAfterSec ?? 0)), signal);
  return undefined;
}

const liveEventOf = ({ event, data }: ServerSentEvent): LiveEvent => ({
  event,
  data: JSON.parse(data) as LiveEvent['data'],
});
