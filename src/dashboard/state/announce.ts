import { signal } from '@preact/signals';
import { isLeaving } from './location.ts';

/** The text of the live region: what just succeeded or changed. `isShown`: for some seconds also to those who see. */
export const announcement = signal<{ text: string; id: number; isShown: boolean }>({ text: '', id: 0, isShown: false });

const say = (text: string, isShown: boolean): void =>
  void (announcement.value = { text, id: announcement.value.id + 1, isShown });

/** Under this name the next document finds what it shall say. */
const keptName = 'parley announcement';

export function announce(text: string): void {
  if (!isLeaving()) return say(text, true);
  try {
    sessionStorage.setItem(keptName, text);
  } catch {
    // This browser keeps nothing.
  }
}

/** Tells only screen readers, of what is seen elsewhere on the page. */
export const announceQuietly = (text: string): void => say(text, false);

/** Says what the document before this one had to say. */
export function announceKept(): void {
  try {
    const text = sessionStorage.getItem(keptName);
    sessionStorage.removeItem(keptName);
    if (text !== null) announce(text);
  } catch {
    // Then nothing was kept.
  }
}
