import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { isAborted } from '../client.ts';

/** Data that a page has requested. While it is requested again, the last answer stays. */
export type Resource<T> = {
  data: T | undefined;
  error: unknown;
  loading: boolean;
  /** Asks again, for example after a change. */
  reload(): void;
  /** Replaces the answer, for example by that of a change. */
  set(data: T): void;
};

/** Whether it is loaded or could not be; what stands below it may then be shown without being moved. */
export const isSettled = ({ data, error }: Pick<Resource<unknown>, 'data' | 'error'>): boolean =>
  (data ?? error) !== undefined;

/**
 * Loads what a component shows: when it appears, when `key` changes, and on `reload`. The request is cancelled when its answer is not
 * needed any more.
 */
export function useResource<T>(key: string, load: (signal: AbortSignal) => Promise<T>): Resource<T> {
  const state = useSignal<{ key: string; data?: T; error?: unknown; loading: boolean }>({ key, loading: true });
  const version = useSignal(0);
  useEffect(() => {
    const controller = new AbortController();
    const { data } = state.peek();
    state.value = { key, loading: true, ...(data === undefined ? {} : { data }) };
    void ask(controller.signal);
    return () => controller.abort();
  }, [key, version.value]);
  async function ask(signal: AbortSignal): Promise<void> {
    try {
      const loaded = await load(signal);
      if (!signal.aborted) state.value = { key, data: loaded, loading: false };
    } catch (error) {
      if (!signal.aborted && !isAborted(error)) state.value = { ...state.peek(), error, loading: false };
    }
  }
  const { data, error, loading } = state.value;
  return {
    data,
    error,
    loading,
    reload: () => void version.value++,
    set: (value) => void (state.value = { key, data: value, loading: false }),
  };
}
