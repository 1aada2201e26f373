import type { Fault } from '../base/errors.ts';
import { isTooLargeMetadata, metadataTooLarge } from '../kernel/metadata.ts';

/**
 * Finds strings that could not be stored as they are: the NUL character ends a text for much of what reads it later, and half of a
 * surrogate pair has no UTF-8. A caller's own `metadata` is stored as escaped JSON, where both are kept; only its size is bounded.
 */
export function textFaults(value: unknown): Fault[] {
  const faults: Fault[] = [];
  const path: string[] = [];
  const say = (message: string): void => void faults.push({ path: path.join('').replace(/^\./, ''), message });
  const measure = (own: unknown): void => {
    if (typeof own === 'object' && own !== null && isTooLargeMetadata(own)) say(metadataTooLarge);
  };
  const walk = (at: unknown): void => {
    const message = typeof at === 'string' ? faultOf(at) : undefined;
    if (message !== undefined) say(message);
    if (at === null || typeof at !== 'object') return;
    const isList = Array.isArray(at);
    for (const [key, item] of Object.entries(at)) {
      if (typeof item !== 'string' && typeof item !== 'object') continue;
      path.push(isList ? `[${key}]` : `.${key}`);
      if (key === 'metadata') measure(item);
      else walk(item);
      path.pop();
    }
  };
  walk(value);
  return faults;
}

function faultOf(text: string): string | undefined {
  if (text.includes('\0')) return 'must not contain the NUL character';
  return text.isWellFormed() ? undefined : 'must not contain half of a surrogate pair';
}
