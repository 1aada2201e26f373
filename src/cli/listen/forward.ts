import { messageOf } from '../../base/errors.ts';
import { monotonicMs, pause, realTimeMs } from '../../base/clock.ts';
import { signatureHeaders } from '../../base/standard-webhooks.ts';
import { parleyVersion } from '../../base/version.ts';

/** An event as the live stream sends it. `body` is the text that webhooks receive. */
export type ListenedEvent = { event_id: string; type: string; timestamp: string; agent_id: string; body: string };

/** How an event fared: the last answer's status, or why there was none. */
export type Forwarded = {
  ok: boolean;
  status: number | null;
  error: string | null;
  durationMs: number;
  attempts: number;
};

/** After a failure an event is tried this often again, with this pause. */
const maxRetries = 5;
const retryAfterMs = 1000;
const timeoutMs = 30_000;

const isSuccess = (status: number | null): boolean => status !== null && status >= 200 && status < 300;

/** Posts an event with the headers that a delivery has. */
async function post(url: string, event: ListenedEvent, secret: string): Promise<Omit<Forwarded, 'attempts'>> {
  const startedMs = monotonicMs();
  const signed = { id: event.event_id, timestampSec: Math.floor(realTimeMs() / 1000), body: event.body };
  const headers = {
    'content-type': 'application/json',
    'user-agent': `parley/${parleyVersion}`,
    ...signatureHeaders([secret], signed),
  };
  const result = { ok: false, status: null, error: null, durationMs: 0 };
  const took = (): number => Math.round(monotonicMs() - startedMs);
  try {
    const answer = await fetch(url, {
      method: 'POST',
      headers,
      body: event.body,
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    });
    await answer.body?.cancel();
    return { ...result, ok: isSuccess(answer.status), status: answer.status, durationMs: took() };
  } catch (error) {
    const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
    return { ...result, error: messageOf(cause), durationMs: took() };
  }
}

export type ForwardOptions = {
  url: string;
  secret: string;
  /** Told of each failure that is followed by another try. */
  onRetry: (failed: Forwarded) => void;
  isStopped: () => boolean;
};

/** Forwards an event, up to six times. */
export async function forward(event: ListenedEvent, options: ForwardOptions): Promise<Forwarded> {
  for (let attempts = 1; ; attempts += 1) {
    const result = { ...(await post(options.url, event, options.secret)), attempts };
    if (result.ok || attempts > maxRetries || options.isStopped()) return result;
    options.onRetry(result);
    await pause(retryAfterMs);
  }
}

/** Whether a URL leads to this machine. */
export function isLoopback(url: URL): boolean {
  const host = url.hostname.replaceAll(/[[\]]/g, '');
  return host === 'localhost' || host.endsWith('.localhost') || host === '::1' || /^127(?:\.\d{1,3}){3}$/.test(host);
}
