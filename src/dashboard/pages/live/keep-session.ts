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
    let isOver = false;
    const keep = (ms: number): void => {
      if (isOver) return;
      timer = setTimeout(() => {
        getSession(api)
          .then(({ data }) => keep(pauseMs(data?.expires_at)))
          .catch(() => keep(ms));
      }, ms);
    };
    keep(pauseMs(session.peek()?.expires_at));
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, []);
}
