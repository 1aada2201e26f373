import { values } from '../text/en.ts';

/** Tells outcomes apart by colour; the word beside it says the same. */
const tones: Readonly<Record<string, string>> = {
  ACTIVE: 'good',
  active: 'good',
  running: 'good',
  completed: 'good',
  complete: 'good',
  delivered: 'good',
  delivering: 'good',
  in_progress: 'live',
  dialing: 'live',
  ringing: 'live',
  processing: 'live',
  failed: 'bad',
  error: 'bad',
  failing: 'bad',
  exhausted: 'bad',
  paused: 'warn',
  busy: 'warn',
  no_answer: 'warn',
  voicemail: 'warn',
  held: 'warn',
  retrying: 'warn',
  invited: 'warn',
  disabled: 'warn',
  ok: 'good',
  warn: 'warn',
  fail: 'bad',
};

export const valueText = (value: string): string => values[value] ?? value;

/** A state or outcome as a word with a mark in its colour. */
export function Status({ value }: { value: string }) {
  return <span class={`status ${tones[value] ?? 'plain'}`}>{valueText(value)}</span>;
}
