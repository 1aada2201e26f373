import { monotonicMs } from '../../../base/clock.ts';
import type { SpeechSettings } from '../settings.ts';
import { openSocket } from './socket.ts';

/** Opens a session with the realtime service and closes it. Resolves with the milliseconds that it took, or why there is none. */
export function checkRealtime(
  { realtime, connect_timeout_ms: timeoutMs }: SpeechSettings,
  model: string | null,
): Promise<{ ms: number } | { fault: string; ms: number }> {
  const startedMs = monotonicMs();
  const elapsed = (): number => Math.round(monotonicMs() - startedMs);
  const { promise, resolve } = Promise.withResolvers<{ ms: number } | { fault: string; ms: number }>();
  const socket = openSocket(realtime, model, timeoutMs, {
    opened() {
      resolve({ ms: elapsed() });
      socket.close();
    },
    event: ({ type, error }) => {
      if (type !== 'error') return;
      resolve({ fault: error?.message ?? 'it answered with an error', ms: elapsed() });
      socket.close();
    },
    nonsense: () => undefined,
    lost: (fault) => resolve({ fault, ms: elapsed() }),
  });
  return promise;
}
