import { isAscii, isUtf8 } from 'node:buffer';
import { analyse } from 'chardet';
import { markedEncoding, unmarkedWideEncoding } from './unicode.ts';

/** `contentType` is the header's; `inDocument`: believe a `<meta charset>` or an XML declaration. */
type Declared = { contentType?: string | undefined; inDocument?: boolean };

/** How far into a page its declaration may stand (HTML, 13.2.3.2), doubled for comments before it. */
const declarationBytes = 2048;
/** Statistics need no more. */
const sampleBytes = 65_536;
/** What the web takes for granted when nothing is known. */
const fallback = 'windows-1252';

/** The characters that some bytes stand for; never fails, since bad bytes become U+FFFD. */
export function decodeText(bytes: Uint8Array, declared: Declared = {}): string {
  return new TextDecoder(encodingOf(bytes, declared)).decode(bytes);
}

/**
 * Evidence goes before declarations: a byte order mark, then bytes that can only be UTF-8, then what the header or the page says,
 * as far as the bytes agree, then statistics.
 */
function encodingOf(bytes: Uint8Array, { contentType, inDocument = false }: Declared): string {
  const evident = markedEncoding(bytes) ?? unmarkedWideEncoding(bytes);
  if (evident !== undefined) return evident;
  const ascii = isAscii(bytes);
  if (!ascii && isUtf8(bytes)) return 'utf-8';
  const stated = [labelInHeader(contentType), inDocument ? labelInDocument(bytes) : undefined];
  return stated.find((label) => label !== undefined && decodes(bytes, label)) ?? (ascii ? 'utf-8' : likely(bytes));
}

const labelInHeader = (contentType: string | undefined): string | undefined =>
  /charset\s*=\s*["']?([\w:.-]+)/i.exec(contentType ?? '')?.[1];

function labelInDocument(bytes: Uint8Array): string | undefined {
  const head = Buffer.from(bytes.subarray(0, declarationBytes)).toString('latin1');
  const label = /<(?:meta|\?xml)\b[^>]*?(?:charset|encoding)\s*=\s*["']?\s*([\w:.-]+)/i.exec(head)?.[1];
  // A declaration that can be read as ASCII is not in UTF-16 (HTML, 13.2.3.2).
  return label !== undefined && /^utf-?16/i.test(label) ? 'utf-8' : label;
}

function decodes(bytes: Uint8Array, label: string): boolean {
  try {
    new TextDecoder(label, { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false; // an unknown label, or bytes that it has no characters for
  }
}

function likely(bytes: Uint8Array): string {
  const sample = sampleOf(bytes);
  return analyse(sample).find(({ name }) => decodes(sample, name))?.name ?? fallback;
}

/** From the first byte that is not ASCII, to a line end, which no character stretches over. */
function sampleOf(bytes: Uint8Array): Uint8Array {
  const first = bytes.findIndex((byte) => byte >= 0x80);
  const start = Math.max(0, first - 1024);
  const sample = bytes.subarray(start, start + sampleBytes);
  const end = start + sampleBytes < bytes.length ? sample.lastIndexOf(0x0a) : -1;
  return end > 0 ? sample.subarray(0, end) : sample;
}
