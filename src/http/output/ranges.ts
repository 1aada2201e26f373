/** A part of a file; `to` is excluded. */
export type ByteRange = { from: number; to: number };

/**
 * The part of a file that a `Range` header asks for (RFC 9110, section 14.2): undefined for the whole file, also where several parts are asked
 * for, which a server may answer so; null for a part that the file does not have.
 */
export function rangeIn(header: string | undefined, size: number): ByteRange | null | undefined {
  const [, first, last] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? '') ?? [];
  if (first === undefined || last === undefined || (first === '' && last === '')) return undefined;
  if (first === '') return last === '0' || size === 0 ? null : { from: Math.max(0, size - Number(last)), to: size };
  const from = Number(first);
  const to = last === '' ? size : Math.min(size, Number(last) + 1);
  if (last !== '' && Number(last) < from) return undefined;
  return from >= size ? null : { from, to };
}
