import { isAscii, isUtf8 } from 'node:buffer';
import { analyse } from 'chardet';
import { encodingFromBom, utf16WithoutBom } from './unicode.ts';

/** `contentType` is the HTTP header. `inDocument` also honours a `<meta charset>` or XML declaration in the bytes. */
type CharsetHints = { contentType?: string | undefined; inDocument?: boolean };

/**
 * How many bytes are searched for a declaration: twice the 1,024 that HTML (13.2.3.2) prescribes, for pages that start
 * with comments.
 */
const declarationBytes = 2048;
/** Enough for character statistics to tell encodings apart. */
const sampleBytes = 65_536;
/** The charset that browsers assume for Western pages that declare none. */
const fallback = 'windows-1252';

/** Decodes a text in any encoding. Never fails: invalid bytes become U+FFFD. */
export function decodeText(bytes: Uint8Array, hints: CharsetHints = {}): string {
  return new TextDecoder(detectEncoding(bytes, hints)).decode(bytes);
}

/**
 * Trusts the bytes before declarations: a byte order mark, then bytes that are valid UTF-8 beyond ASCII, then the
 * charset that the header or the page declares if the bytes decode in it, then character statistics.
 */
function detectEncoding(bytes: Uint8Array, { contentType, inDocument = false }: CharsetHints): string {
  const fromBytes = encodingFromBom(bytes) ?? utf16WithoutBom(bytes);
  if (fromBytes !== undefined) return fromBytes;
  const isPlainAscii = isAscii(bytes);
  if (!isPlainAscii && isUtf8(bytes)) return 'utf-8';
  const declared = [labelInHeader(contentType), inDocument ? labelInDocument(bytes) : undefined];
  return (
    declared.find((label) => label !== undefined && decodes(bytes, label)) ??
    (isPlainAscii ? 'utf-8' : guessFromStatistics(bytes))
  );
}

const labelInHeader = (contentType: string | undefined): string | undefined =>
  /charset\s*=\s*["']?([\w:.-]+)/i.exec(contentType ?? '')?.[1];

function labelInDocument(bytes: Uint8Array): string | undefined {
  const head = Buffer.from(bytes.subarray(0, declarationBytes)).toString('latin1');
  const label = /<(?:meta|\?xml)\b[^>]*?(?:charset|encoding)\s*=\s*["']?\s*([\w:.-]+)/i.exec(head)?.[1];
  // Text whose declaration is readable as ASCII cannot be UTF-16 (HTML, 13.2.3.2).
  return label !== undefined && /^utf-?16/i.test(label) ? 'utf-8' : label;
}

function decodes(bytes: Uint8Array, label: string): boolean {
  try {
    new TextDecoder(label, { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false; // unknown label, or bytes invalid in this encoding
  }
}

function guessFromStatistics(bytes: Uint8Array): string {
  const sample = sampleOf(bytes);
  return analyse(sample).find(({ name }) => decodes(sample, name))?.name ?? fallback;
}

/** A sample around the first non-ASCII byte that ends at a line end, so that no multi-byte character is cut. */
function sampleOf(bytes: Uint8Array): Uint8Array {
  const first = bytes.findIndex((byte) => byte >= 0x80);
  const start = Math.max(0, first - 1024);
  const sample = bytes.subarray(start, start + sampleBytes);
  const end = start + sampleBytes < bytes.length ? sample.lastIndexOf(0x0a) : -1;
  return end > 0 ? sample.subarray(0, end) : sample;
}
