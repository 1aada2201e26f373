import { useEffect } from 'preact/hooks';
import { api, getSession } from '../../client.ts';
import { serverNow } from '../../state/clock.ts';
import { session } from '../../state/session.ts';

const [minMs, maxMs] = [500, 600_000];

/** Well within the time for which the session holds without being used. */
function pauseMs(expiresAt: string | undefined): number {
  const now = serverNow();
  if (expiresAt === undefined || now === undefined) return maxMs;
  return Math.min(maxMs, Math.max(minMs, (Date.parse(expiresAt) - now) / 3));
}

/** Keeps the session in use while the component is shown. It ends with its whole time all the same. */
export function useKeptSession(): void {
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    const keep = (expiresAt: string | undefined): void => {
      timer = setTimeout(() => {
        // While the server is away it is tried again after the longest pause.
        getSession(api)
          .then(({ data }) => keep(data?.expires_at))
          .catch(() => keep(undefined));
      }, pauseMs(expiresAt));
    };
    keep(session.peek()?.expires_at);
    return () => clearTimeout(timer);
  }, []);
}
