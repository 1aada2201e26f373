import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';

/** Waits until the person stops typing. */
export const typingPauseMs = 250;

/** A value once it has not changed for some time. */
export function useDebounced<T>(value: T, ms = typingPauseMs): T {
  const settled = useSignal(value);
  useEffect(() => {
    const timer = setTimeout(() => void (settled.value = value), ms);
    return () => clearTimeout(timer);
  }, [value]);
  return settled.value;
}
