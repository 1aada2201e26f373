import { extract } from '../../../src/extraction/extract.ts';
import type { ExtractedDocument, ExtractInput } from '../../../src/extraction/model.ts';

export const limits = { maxTextChars: 1_000_000, maxUnpackedBytes: 8 * 2 ** 20 };

export const read = (input: ExtractInput | Uint8Array | string): Promise<ExtractedDocument> => {
  if (typeof input === 'string') return extract({ bytes: Buffer.from(input) }, limits);
  return extract(input instanceof Uint8Array ? { bytes: input } : input, limits);
};
