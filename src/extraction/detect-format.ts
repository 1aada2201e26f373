import { isUtf8 } from 'node:buffer';
import type { Format } from './model.ts';
import { markedEncoding, unmarkedWideEncoding } from './plain/unicode.ts';
import { entriesOf, looksZipped } from './office/zip.ts';

/** Enough of a text to tell HTML, Markdown and CSV by. */
const headBytes = 16_384;
/** Where else the header of a PDF may stand (ISO 32000-1, annex H.3.4.1). */
const pdfHeaderBytes = 1024;
/** Control characters that text without a Unicode encoding may have, as a share: by accident, not by nature. */
const accidentalControls = 0.001;

/**
 * The format of some bytes, told by what is in them; undefined for what is none of ours. The name's extension (or the media type)
 * decides only between formats that are text, where "# 12,30" may be meant as any of three.
 */
export function formatOf(bytes: Uint8Array, name?: string, contentType?: string): Format | undefined {
  if (startsWith(bytes, '%PDF-')) return 'pdf';
  if (looksZipped(bytes)) return officeFormat(bytes);
  const text = headOf(bytes);
  if (text === undefined) return has(bytes.subarray(0, pdfHeaderBytes), '%PDF-') ? 'pdf' : undefined;
  return textFormat(text, hintOf(name, contentType));
}

const bufferOf = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
const has = (bytes: Uint8Array, text: string): boolean => bufferOf(bytes).includes(text, 0, 'latin1');
const startsWith = (bytes: Uint8Array, text: string): boolean => has(bytes.subarray(0, text.length), text);

const officeFolders: ReadonlyArray<readonly [Format, folder: string, part: string]> = [
  ['docx', 'word/', 'word/document'],
  ['pptx', 'ppt/', 'ppt/presentation'],
  ['xlsx', 'xl/', 'xl/workbook'],
];

/** A file that was cut off has lost its directory; the names before each part tell what it was. */
function officeFormat(bytes: Uint8Array): Format | undefined {
  const entries = entriesOf(bytes);
  const found = officeFolders.find(([, folder, part]) => {
    if (!entries) return has(bytes, part);
    return entries.some(({ name }) => name.startsWith(part) || name.startsWith(`${folder}_rels/`));
  });
  return found?.[0];
}

/** The beginning of a text, as far as ASCII goes in any encoding; undefined when the bytes are no text. */
function headOf(bytes: Uint8Array): string | undefined {
  const head = bytes.subarray(0, headBytes);
  const encoding = markedEncoding(bytes) ?? unmarkedWideEncoding(bytes);
  if (encoding === 'utf-16le' || encoding === 'utf-16be') return new TextDecoder(encoding).decode(head);
  const allowed = isUtf8(bytes) ? accidentalControls * 10 : accidentalControls;
  if (bytes.includes(0) || controlShare(bytes) > allowed) return undefined;
  return bufferOf(head).toString('latin1');
}

/** Of the beginning, the middle and the end. */
function controlShare(bytes: Uint8Array): number {
  const starts = bytes.length <= 3 * headBytes ? [0] : [0, bytes.length >> 1, bytes.length - headBytes];
  const samples = starts.map((start) =>
    bytes.subarray(start, start + (starts.length === 1 ? bytes.length : headBytes)),
  );
  const controls = samples.reduce((sum, sample) => sum + sample.filter(isControl).length, 0);
  return (
    controls /
    Math.max(
      1,
      samples.reduce((sum, { length }) => sum + length, 0),
    )
  );
}

/** But for tab, line ends, form feed and escape, which texts have. */
const isControl = (byte: number): boolean =>
  (byte < 0x20 && (byte < 0x09 || byte > 0x0d) && byte !== 0x1b) || byte === 0x7f;

type TextFormat = Extract<Format, 'csv' | 'html' | 'md' | 'txt'>;

const byExtension: Readonly<Record<string, TextFormat>> = {
  csv: 'csv',
  tsv: 'csv',
  htm: 'html',
  html: 'html',
  xhtml: 'html',
  md: 'md',
  markdown: 'md',
  mdx: 'md',
  txt: 'txt',
  text: 'txt',
  log: 'txt',
};
const byMediaType: Readonly<Record<string, TextFormat>> = {
  'text/csv': 'csv',
  'text/tab-separated-values': 'csv',
  'text/html': 'html',
  'application/xhtml+xml': 'html',
  'text/markdown': 'md',
  'text/plain': 'txt',
};

function hintOf(name = '', contentType = ''): TextFormat | undefined {
  const extension = /\.(\w+)$/.exec(name)?.[1]?.toLowerCase() ?? '';
  return byExtension[extension] ?? byMediaType[contentType.split(';', 1)[0]!.trim().toLowerCase()];
}

function textFormat(head: string, hint: TextFormat | undefined): Format {
  const start = head.replace(/^(?:\uFEFF|\u00EF\u00BB\u00BF)?(?:\s+|<!--[^]*?-->|<\?xml[^>]*\?>)*/, '');
  if (/^<(?:!doctype\s+html|html|head|body)\b/i.test(start)) return 'html';
  if (hint !== undefined) return hint;
  if (/^<(?:title|meta|link|script|style|div|p|h[1-6]|table|ul|ol|main|article|section)\b[^>]*>/i.test(start))
    return 'html';
  if (looksLikeTable(start)) return 'csv';
  return looksLikeMarkdown(start) ? 'md' : 'txt';
}

const minTableLines = 3;
const comparedLines = 20;

/** Lines that a separator divides into equally many cells, two at least. Quoted cells count as one, whatever is in them. */
function looksLikeTable(head: string): boolean {
  const plain = head.replace(/"(?:[^"]|"")*"/g, 'q');
  const lines = plain.split(/\r\n?|\n/).filter((line) => line.trim() !== '');
  const complete = lines.slice(0, head.length === headBytes ? -1 : undefined).slice(0, comparedLines);
  if (complete.length < minTableLines) return false;
  return [',', ';', '\t'].some((separator) => {
    const counts = complete.map((line) => line.split(separator).length);
    return counts[0]! > 1 && counts.every((count) => count === counts[0]);
  });
}

const markdownSigns = [
  /^#{1,6} \S/m,
  /^\S.*\n(?:=+|-{3,}) *$/m,
  /^ {0,3}(?:```|~~~)/m,
  /\[[^\]\n]+\]\((?:https?:|\/|#|\.|mailto:)[^)\n]*\)/,
  /^\|? *:?-{3,}:? *\|[ :|-]*$/m,
  /^ *[-*+] \S/m,
  /\*\*\S[^*\n]*\*\*/,
  /^> \S/m,
];

/** One sign alone is in many a plain text. */
const looksLikeMarkdown = (head: string): boolean => markdownSigns.filter((sign) => sign.test(head)).length >= 2;
