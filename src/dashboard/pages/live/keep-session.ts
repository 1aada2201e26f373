import { useEffect } from 'preact/hooks';
import { api, getSession } from '../../client.ts';

/** Well within the time after which an idle session ends. */
const everyMs = 600_000;

/** Keeps the session in use while the component is shown. It ends with its whole time all the same. */
export function useKeptSession(): void {
  useEffect(() => {
    const timer = setInterval(() => void getSession(api).catch(() => undefined), everyMs);
    return () => clearInterval(timer);
  }, []);
}
