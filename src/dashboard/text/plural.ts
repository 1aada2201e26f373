const rules = new Intl.PluralRules('en');
const numbers = new Intl.NumberFormat('en');

export const number = (value: number): string => numbers.format(value);

/** "1 call", "2,000 calls". */
export const count = (value: number, one: string, other: string): string =>
  `${number(value)} ${rules.select(value) === 'one' ? one : other}`;

const conjunction = new Intl.ListFormat('en', { type: 'conjunction' });
export const list = (items: readonly string[]): string => conjunction.format(items);

const percents = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 0 });
export const percent = (share: number): string => percents.format(share);

/** "640 ms"; a dash where nothing was measured. */
export const ms = (value: number | null): string => (value === null ? '–' : `${number(value)} ms`);

/** "2 min 5 s". */
export function duration(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  if (hours > 0) return minutes > 0 ? `${number(hours)} h ${minutes} min` : `${number(hours)} h`;
  if (minutes > 0) return rest > 0 ? `${minutes} min ${rest} s` : `${minutes} min`;
  return `${rest} s`;
}

/** "2:05", as a player shows it. */
export function clock(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`;
}

const amounts = new Intl.NumberFormat('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 });

/** An amount in the currency of the installation's prices. */
export const money = (amount: number): string => amounts.format(amount);
