import { signal } from '@preact/signals';

/** The text of the live region: what just succeeded or changed, for screen readers and shown for some seconds. */
export const announcement = signal<{ text: string; id: number }>({ text: '', id: 0 });

export function announce(text: string): void {
  announcement.value = { text, id: announcement.value.id + 1 };
}
