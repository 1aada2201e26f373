import type { Fault } from '../../../base/errors.ts';

type Input = Readonly<Record<string, unknown>>;

/** The field of a contact that a fault is about: `metadata` for `metadata.size`. */
const fieldOf = ({ path }: Fault): string => path.split(/[.[]/)[0]!;

/** The values of a row without those that have a fault. */
export function without(input: Input, faults: readonly Fault[]): Input {
  if (faults.length === 0) return input;
  const faulty = new Set(faults.map(fieldOf));
  return Object.fromEntries(Object.entries(input).filter(([field]) => !faulty.has(field)));
}

/** `joins`: the row adds its contact to a campaign, which calls it. `strict`: no cell may be left out. */
type Rules = { joins: boolean; strict: boolean };

/** A contact without any of them could be neither called nor found again. */
const identifying = ['phone', 'email', 'first_name', 'last_name'];

/**
 * Why a row is rejected; null if it is imported without its faulty cells. A faulty `do_not_call` rejects the row, because the contact
 * might have asked not to be called.
 */
export function rejectionOf(readable: Input, faults: readonly Fault[], { joins, strict }: Rules): string | null {
  const isFatal = (fault: Fault): boolean => strict || ['', 'do_not_call'].includes(fieldOf(fault));
  const required = joins ? ['phone'] : identifying;
  const isUsable = required.some((field) => Object.hasOwn(readable, field));
  if (isUsable && !faults.some(isFatal)) return null;
  // An unreadable value is the reason already.
  if (faults.some((fault) => isFatal(fault) || required.includes(fieldOf(fault)))) return reasonOf(faults);
  return joins ? 'has no phone' : 'has no phone, email or name';
}

/** All faults of a row in one sentence. */
export const reasonOf = (faults: readonly Fault[]): string =>
  faults.map(({ path, message }) => (path === '' ? `The row ${message}` : `${path} ${message}`)).join('; ');
