import { isUtf8 } from 'node:buffer';
import { asBuffer } from './as-buffer.ts';
import type { Format } from './model.ts';
import { encodingFromBom, utf16WithoutBom } from './plain/unicode.ts';
import { readDirectory, startsLikeZip } from './office/zip.ts';

/** How much of a text is examined to tell HTML, Markdown and CSV apart. */
const sampleBytes = 16_384;
/** A PDF header may stand anywhere in the first 1,024 bytes (ISO 32000-1, annex H.3.4.1). */
const pdfHeaderBytes = 1024;
/** Share of control characters above which bytes count as binary. Valid UTF-8 may have ten times as many. */
const maxControlShare = 0.001;

/**
 * Detects a document's format from its content; undefined if it is not supported. File extension and media type only
 * choose among the text formats, where "# 12,30" could be CSV, Markdown or plain text.
 */
export function detectFormat(bytes: Uint8Array, name?: string, contentType?: string): Format | undefined {
  if (startsWith(bytes, '%PDF-')) return 'pdf';
  if (startsLikeZip(bytes)) return detectOfficeFormat(bytes);
  const text = decodeHead(bytes);
  if (text === undefined) return containsAscii(bytes.subarray(0, pdfHeaderBytes), '%PDF-') ? 'pdf' : undefined;
  return detectTextFormat(text, formatHint(name, contentType));
}

const containsAscii = (bytes: Uint8Array, text: string): boolean => asBuffer(bytes).includes(text, 0, 'latin1');
const startsWith = (bytes: Uint8Array, text: string): boolean => containsAscii(bytes.subarray(0, text.length), text);

const officeFolders: ReadonlyArray<readonly [Format, folder: string, part: string]> = [
  ['docx', 'word/', 'word/document'],
  ['pptx', 'ppt/', 'ppt/presentation'],
  ['xlsx', 'xl/', 'xl/workbook'],
];

/** A truncated file has lost its ZIP directory; the part names before each part still tell the format. */
function detectOfficeFormat(bytes: Uint8Array): Format | undefined {
  const entries = readDirectory(bytes);
  const found = officeFolders.find(([, folder, part]) => {
    if (!entries) return containsAscii(bytes, part);
    return entries.some(({ name }) => name.startsWith(part) || name.startsWith(`${folder}_rels/`));
  });
  return found?.[0];
}

/** The beginning of a text, decoded well enough to read its ASCII characters; undefined if the bytes are binary. */
function decodeHead(bytes: Uint8Array): string | undefined {
  const head = bytes.subarray(0, sampleBytes);
  const encoding = encodingFromBom(bytes) ?? utf16WithoutBom(bytes);
  if (encoding === 'utf-16le' || encoding === 'utf-16be') return new TextDecoder(encoding).decode(head);
  const allowed = isUtf8(bytes) ? maxControlShare * 10 : maxControlShare;
  if (bytes.includes(0) || controlShare(bytes) > allowed) return undefined;
  return asBuffer(head).toString('latin1');
}

/** Share of control characters; of a large file, at its beginning, middle and end. */
function controlShare(bytes: Uint8Array): number {
  const starts = bytes.length <= 3 * sampleBytes ? [0] : [0, bytes.length >> 1, bytes.length - sampleBytes];
  const samples = starts.map((start) =>
    bytes.subarray(start, start + (starts.length === 1 ? bytes.length : sampleBytes)),
  );
  const controls = samples.reduce((sum, sample) => sum + sample.filter(isControl).length, 0);
  const total = samples.reduce((sum, { length }) => sum + length, 0);
  return controls / Math.max(1, total);
}

/** Control characters except tab, line ends, form feed and escape, which occur in text. */
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

function formatHint(name = '', contentType = ''): TextFormat | undefined {
  const extension = /\.(\w+)$/.exec(name)?.[1]?.toLowerCase() ?? '';
  return byExtension[extension] ?? byMediaType[contentType.split(';', 1)[0]!.trim().toLowerCase()];
}

function detectTextFormat(head: string, hint: TextFormat | undefined): Format {
  const start = head.replace(/^(?:\uFEFF|\u00EF\u00BB\u00BF)?(?:\s+|<!--[^]*?-->|<\?xml[^>]*\?>)*/, '');
  if (/^<(?:!doctype\s+html|html|head|body)\b/i.test(start)) return 'html';
  if (hint !== undefined) return hint;
  if (/^<(?:title|meta|link|script|style|div|p|h[1-6]|table|ul|ol|main|article|section)\b[^>]*>/i.test(start))
    return 'html';
  if (looksLikeCsv(start)) return 'csv';
  return looksLikeMarkdown(start) ? 'md' : 'txt';
}

const minCsvLines = 3;
const maxComparedLines = 20;

/**
 * Whether a separator divides every line into the same number of cells, at least two. Separators inside quotes do not
 * count.
 */
function looksLikeCsv(head: string): boolean {
  const plain = head.replace(/"(?:[^"]|"")*"/g, 'q');
  const lines = plain.split(/\r\n?|\n/).filter((line) => line.trim() !== '');
  const complete = lines.slice(0, head.length === sampleBytes ? -1 : undefined).slice(0, maxComparedLines);
  if (complete.length < minCsvLines) return false;
  return [',', ';', '\t'].some((separator) => {
    const counts = complete.map((line) => line.split(separator).length);
    return counts[0]! > 1 && counts.every((count) => count === counts[0]);
  });
}

const markdownPatterns = [
  /^#{1,6} \S/m,
  /^\S.*\n(?:=+|-{3,}) *$/m,
  /^ {0,3}(?:```|~~~)/m,
  /\[[^\]\n]+\]\((?:https?:|\/|#|\.|mailto:)[^)\n]*\)/,
  /^\|? *:?-{3,}:? *\|[ :|-]*$/m,
  /^ *[-*+] \S/m,
  /\*\*\S[^*\n]*\*\*/,
  /^> \S/m,
];

/** Requires two patterns, because plain text often matches one by chance. */
const looksLikeMarkdown = (head: string): boolean =>
  markdownPatterns.filter((pattern) => pattern.test(head)).length >= 2;
