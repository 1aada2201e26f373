import type { Fault } from '../../base/errors.ts';
import { JsonObject } from '../../base/json.ts';
import { maxMetadataBytes } from '../../kernel/schema.ts';

/**
 * Reports strings that cannot be stored unchanged, and metadata that is too large. Many programs end a text at the NUL character, and
 * half of a surrogate pair has no UTF-8 encoding. `metadata` is stored as JSON with escapes, which preserve both.
 */
export function textFaults(value: unknown): Fault[] {
  const faults: Fault[] = [];
  const path: string[] = [];
  const walk = (node: unknown): void => {
    const message = faultOf(node);
    if (message !== undefined) faults.push({ path: path.join('').replace(/^\./, ''), message });
    if (node === null || typeof node !== 'object' || node instanceof JsonObject) return;
    const isList = Array.isArray(node);
    for (const [key, item] of Object.entries(node)) {
      if (typeof item !== 'string' && typeof item !== 'object') continue;
      path.push(isList ? `[${key}]` : `.${key}`);
      walk(item);
      path.pop();
    }
  };
  walk(value);
  return faults;
}

function faultOf(node: unknown): string | undefined {
  if (typeof node === 'string') return textFault(node);
  const isTooLarge = node instanceof JsonObject && Buffer.byteLength(node.text) > maxMetadataBytes;
  return isTooLarge ? `must have at most ${maxMetadataBytes / 1024} KiB of JSON` : undefined;
}

/** Why a string cannot be stored unchanged; undefined if it can. */
export function textFault(text: string): string | undefined {
  if (text.includes('\0')) return 'must not contain the NUL character';
  return text.isWellFormed() ? undefined : 'must not contain half of a surrogate pair';
}
