import { computed, effect, signal } from '@preact/signals';

/** Choices of the person that this browser keeps. */

function kept<T extends string>(name: string, initial: T, allowed: readonly T[]) {
  const key = `parley.${name}`;
  const stored = read(key) as T | null;
  const value = signal(stored !== null && allowed.includes(stored) ? stored : initial);
  effect(() => write(key, value.value));
  return value;
}

/** Storage may be switched off; choices then last until the page is closed. */
function read(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

function write(key: string, value: string): void {
  try {
    localStorage.setItem(key, value);
  } catch {
    // Kept in memory.
  }
}

export const themes = ['system', 'light', 'dark'] as const;
export const theme = kept('theme', 'system', themes);
effect(() => {
  document.documentElement.dataset['theme'] = theme.value;
});

export type ZoneChoice = 'viewer' | 'utc' | 'campaign';
/** What the person has chosen; '' before that. */
const zoneChoice = kept<ZoneChoice | ''>('zone', '', ['', 'viewer', 'utc', 'campaign']);
export const chooseZone = (choice: ZoneChoice): void => void (zoneChoice.value = choice);

/** Whether single keys such as `?` and `g` do something. */
export const shortcuts = kept('shortcuts', 'on', ['on', 'off']);

/** Whether a screen reader is told from time to time what changed on a live page. */
export const summaries = kept('summaries', 'on', ['on', 'off']);

export const viewerZone = new Intl.DateTimeFormat().resolvedOptions().timeZone;

/** The zone of the campaign that the page shows. */
export const campaignZone = signal<string | undefined>(undefined);

/** On the pages of a campaign its zone is the default. */
export const chosenZone = computed((): ZoneChoice => {
  const choice = zoneChoice.value || (campaignZone.value === undefined ? 'viewer' : 'campaign');
  return choice === 'campaign' && campaignZone.value === undefined ? 'viewer' : choice;
});

/** The zone in which every time is shown. */
export const zone = computed(() => {
  if (chosenZone.value === 'utc') return 'UTC';
  return chosenZone.value === 'campaign' ? campaignZone.value! : viewerZone;
});
