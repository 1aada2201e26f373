import { useSignal } from '@preact/signals';
import { hasKeyboard } from '../../state/screen.ts';
import { common } from '../../text/en.ts';

type Options = {
  name: string;
  /** How many places can be read. */
  count: number;
  /** Places in a row, if there are several rows. */
  width?: number;
  textAt(index: number): string;
};

/** Reads the places of a picture out, one by one: with arrow keys once it has the focus, and where a pointer says `at`. */
export function useReading({ name, count, width = count, textAt }: Options) {
  const at = useSignal<number | undefined>(undefined);
  const last = count - 1;
  const rows: Record<string, number> = width < count ? { ArrowDown: width, ArrowUp: -width } : {};
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') at.value = undefined;
    const step = { ArrowRight: 1, ArrowLeft: -1, ...rows }[event.key];
    const to = { Home: 0, End: last }[event.key] ?? (step === undefined ? undefined : (at.value ?? -step) + step);
    if (to === undefined) return;
    event.preventDefault();
    if (to >= 0 && to <= last) at.value = to;
  };
  const clear = (): void => void (at.value = undefined);
  const text = at.value === undefined ? undefined : textAt(at.value);
  const attributes = {
    tabIndex: 0,
    role: 'slider' as const,
    'aria-label': common.readingOf(name),
    'aria-valuemin': 0,
    'aria-valuemax': last,
    'aria-valuenow': at.value ?? 0,
    'aria-valuetext': text ?? (hasKeyboard ? common.noReading.keys : common.noReading.touch),
    onKeyDown,
    onPointerLeave: clear,
    onBlur: clear,
  };
  return { at, text, attributes };
}
