import { type Client, type LiveEvent, ParleyError, watchLive } from '../../../clients/typescript/index.ts';
import { pause } from '../../base/clock.ts';
import { messageOf } from '../../base/errors.ts';
import { type ListenedEvent } from './forward.ts';
import { type Connect, NoServer } from './server.ts';

export type EventsOptions = {
  connect: Connect;
  /** Begin behind this event; without one, with the next event. */
  after: string | undefined;
  signal: AbortSignal;
  /** Told what a person should know: that the connection was lost or is back, and what was missed. */
  tell: (sentence: string) => void;
  onOpen: (client: Client) => Promise<void>;
};

const reopenAfterMs = 1000;

/** Why a stream ended: the server's reason, or `lost` without one. */
type End = 'lost' | 'gone' | 'slow' | (string & {});

/**
 * The events of a server until `signal` aborts. A lost connection is opened again, behind the last event that the caller has finished.
 * @throws ParleyError or NoServer when the first connection is refused, or the credentials are no longer valid
 */
export async function* eventsOf(options: EventsOptions): AsyncGenerator<{ client: Client; event: ListenedEvent }> {
  const { connect, signal, tell } = options;
  let { after } = options;
  let isFirst = true;
  while (!signal.aborted) {
    try {
      const client = await connect();
      const ended: { by: End } = { by: 'lost' };
      for await (const event of streamOf(client, after, { ...options, isFirst, ended })) {
        yield { client, event };
        after = event.event_id;
      }
      isFirst = false;
      if (signal.aborted) return;
      if (ended.by === 'gone') {
        tell(`Event ${after} is no longer kept, so events after it may be missing here. Going on with new ones.`);
        after = undefined;
      } else
        tell(
          `The connection was lost (${ended.by}); opening it again${after === undefined ? '' : ` behind event ${after}`}.`,
        );
    } catch (error) {
      if (signal.aborted) return;
      if (isFirst || (error instanceof ParleyError && error.status < 500)) throw error;
      if (!(error instanceof NoServer)) tell(messageOf(error));
    }
    await pause(reopenAfterMs);
  }
}

type StreamState = EventsOptions & { isFirst: boolean; ended: { by: End } };

/** The events of one connection. */
async function* streamOf(client: Client, after: string | undefined, state: StreamState): AsyncGenerator<ListenedEvent> {
  const { signal, tell, onOpen, isFirst, ended } = state;
  const connection = new AbortController();
  const abort = (): void => connection.abort();
  signal.addEventListener('abort', abort);
  let isOpen = false;
  const onConnection = (isConnected: boolean): void => {
    if (isConnected && !isFirst) tell('Connected again.');
    if (isConnected) isOpen = true;
    else connection.abort(); // a local server may come back at another port, so ask anew
  };
  try {
    if (isFirst) await onOpen(client);
    const request = {
      topic: ['events'],
      ...(after === undefined ? {} : { after }),
      signal: connection.signal,
      onConnection,
    };
    for await (const { event, data } of watchLive(client, request)) {
      if (event === 'bye') ended.by = data.reason ?? 'lost';
      else yield listenedEvent(data);
    }
    if (!isOpen && isFirst && !signal.aborted) throw new Error(`${client.baseUrl} cannot be reached.`);
  } finally {
    signal.removeEventListener('abort', abort);
    connection.abort();
  }
}

const listenedEvent = (data: LiveEvent['data']): ListenedEvent => data as unknown as ListenedEvent;
