import { signal } from '@preact/signals';

/** The text of the live region: what just succeeded or changed. `isShown`: for some seconds also to those who see. */
export const announcement = signal<{ text: string; id: number; isShown: boolean }>({ text: '', id: 0, isShown: false });

const say = (text: string, isShown: boolean): void =>
  void (announcement.value = { text, id: announcement.value.id + 1, isShown });

export const announce = (text: string): void => say(text, true);

/** Tells only screen readers, of what is seen elsewhere on the page. */
export const announceQuietly = (text: string): void => say(text, false);
