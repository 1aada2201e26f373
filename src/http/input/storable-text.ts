import type { Fault } from '../../base/errors.ts';

/**
 * Finds strings that could not be stored as they are: the NUL character ends a text for much of what reads it later, and half of a
 * surrogate pair has no UTF-8. A caller's own `metadata` is stored as escaped JSON, where both are kept.
 */
export function textFaults(value: unknown): Fault[] {
  const faults: Fault[] = [];
  const path: string[] = [];
  const walk = (at: unknown): void => {
    const message = typeof at === 'string' ? textFault(at) : undefined;
    if (message !== undefined) faults.push({ path: path.join('').replace(/^\./, ''), message });
    if (at === null || typeof at !== 'object') return;
    const isList = Array.isArray(at);
    for (const [key, item] of Object.entries(at)) {
      if (key === 'metadata' || (typeof item !== 'string' && typeof item !== 'object')) continue;
      path.push(isList ? `[${key}]` : `.${key}`);
      walk(item);
      path.pop();
    }
  };
  walk(value);
  return faults;
}

/** Why a string could not be stored as it is, if so. */
export function textFault(text: string): string | undefined {
  if (text.includes('\0')) return 'must not contain the NUL character';
  return text.isWellFormed() ? undefined : 'must not contain half of a surrogate pair';
}
