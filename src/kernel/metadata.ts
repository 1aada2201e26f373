/**
 * How large a caller's own data may be on one thing, as JSON. It comes back in every list, so a page of 500 stays below 33 MiB; what
 * belongs to a customer or a call fits many times over (Stripe takes some 27 KB, Retell 50).
 */
const maxMetadataBytes = 65_536;

export const metadataTooLarge = `must be at most ${maxMetadataBytes} bytes as JSON`;

/** Nesting must be bounded before: this recurses. */
export const isTooLargeMetadata = (value: object): boolean =>
  Buffer.byteLength(JSON.stringify(value)) > maxMetadataBytes;
