import type { Fault } from '../../base/errors.ts';

/**
 * Reports strings that cannot be stored unchanged: many programs end a text at the NUL character, and half of a surrogate pair has no
 * UTF-8 encoding. `metadata` is exempt, because it is stored as JSON with escapes, which preserve both.
 */
export function textFaults(value: unknown): Fault[] {
  const faults: Fault[] = [];
  const path: string[] = [];
  const walk = (node: unknown): void => {
    const message = typeof node === 'string' ? textFault(node) : undefined;
    if (message !== undefined) faults.push({ path: path.join('').replace(/^\./, ''), message });
    if (node === null || typeof node !== 'object') return;
    const isList = Array.isArray(node);
    for (const [key, item] of Object.entries(node)) {
      if (key === 'metadata' || (typeof item !== 'string' && typeof item !== 'object')) continue;
      path.push(isList ? `[${key}]` : `.${key}`);
      walk(item);
      path.pop();
    }
  };
  walk(value);
  return faults;
}

/** Why a string cannot be stored unchanged; undefined if it can. */
export function textFault(text: string): string | undefined {
  if (text.includes('\0')) return 'must not contain the NUL character';
  return text.isWellFormed() ? undefined : 'must not contain half of a surrogate pair';
}
