import {
  type Conversation,
  type ConversationTurn,
  createClient,
  eventsIn,
  ParleyError,
} from '../../clients/typescript/index.ts';

/** The typed client with the browser's session in place of a key, and what the dashboard does on 401, 429 and 503. */

export * from '../../clients/typescript/index.ts';

type Hooks = {
  /** Called when the session has ended; resolves when the person has logged in again. */
  logInAgain(): Promise<void>;
  /** Tells the person that the server is busy; the client sends the request again. */
  waiting(seconds: number): void;
};

let hooks: Hooks | undefined;

export const connectClient = (connected: Hooks): void => void (hooks = connected);

const defaultWaitSec = 1;

/** Requests that log in, or ask whether somebody is logged in. A 401 is their answer. */
const logInPaths = ['/api/v1/session', '/api/v1/auth/setup', '/api/v1/auth/invitation', '/api/v1/session/password'];

async function sessionFetch(input: RequestInfo | URL, request: RequestInit = {}): Promise<Response> {
  const path = new URL(input instanceof Request ? input.url : input, location.href).pathname;
  for (;;) {
    const response = await fetch(input, request);
    if (response.status === 429 || response.status === 503) {
      hooks?.waiting(Number(response.headers.get('retry-after')) || defaultWaitSec);
    }
    if (response.status !== 401 || !hooks || logInPaths.includes(path)) return response;
    await hooks.logInAgain();
  }
}

/** It repeats requests that the server refused as busy, so that they are executed once. */
export const api = createClient({ fetch: sessionFetch });

export const isNotFound = (error: unknown): boolean => error instanceof ParleyError && error.status === 404;

/** Whether a request ended because nobody waits for it any more. */
export const isAborted = (error: unknown): boolean => error instanceof DOMException && error.name === 'AbortError';

/** A new key for a request that must not be carried out twice. `crypto.randomUUID` exists only in secure contexts. */
export const newIdempotencyKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');

/** The events of a replay. */
type Replayed =
  | { event: 'conversation'; data: Conversation }
  | { event: 'turn'; data: ConversationTurn }
  | { event: 'error'; data: { message: string } };

/** A model may think for a minute before anything is sent. */
const maxReplaySilenceMs = 90_000;

/**
 * Has a call replayed to its agent, and tells each turn as it is made. Aborting `signal` ends it on the server, too.
 * @throws ParleyError when it is refused
 */
export async function* replay(callId: string, signal: AbortSignal): AsyncGenerator<Replayed, void, undefined> {
  const headers = { accept: 'text/event-stream', 'content-type': 'application/json' };
  const address = `/api/v1/calls/${encodeURIComponent(callId)}/replay`;
  const response = await sessionFetch(address, { method: 'POST', headers, body: '{}', signal });
  if (!response.ok || !response.body) throw ParleyError.of(response, await response.text());
  for await (const { event, data } of eventsIn(response.body, maxReplaySilenceMs)) {
    if (event === 'conversation' || event === 'turn' || event === 'error')
      yield { event, data: JSON.parse(data) as never };
  }
}
