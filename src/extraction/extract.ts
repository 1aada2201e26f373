import { decodeText } from './plain/charset.ts';
import { chunkBlocks } from './chunking/chunker.ts';
import { textOfBlocks } from './blocks/block-collector.ts';
import { normalizeLine } from './blocks/normalize.ts';
import { createTextBudget, type ExtractionLimits } from './limits.ts';
import { parseCsv } from './plain/csv.ts';
import { ExtractionError } from './errors.ts';
import { detectFormat } from './detect-format.ts';
import { parseHtml } from './html/parse.ts';
import { parseMarkdown } from './plain/markdown.ts';
import type { Block, ExtractedDocument, ExtractInput, Format, PageMetadata } from './model.ts';
import { parseDocx } from './office/docx.ts';
import { parsePptx } from './office/pptx.ts';
import { parseXlsx } from './office/xlsx.ts';
import { parsePlainText } from './plain/plain-text.ts';
import { openZip } from './office/zip.ts';

type ParsedDocument = { title: string | null; blocks: Block[]; pageMetadata?: PageMetadata };

/**
 * Extracts text and passages from a document. Time and memory depend on the bytes, which may be hostile, so callers run
 * it in a worker thread that they can limit and end.
 * @throws ExtractionError when the format is not supported, the document is unreadable or exceeds a limit, or it has no
 *   text (a web page without text passes if it has links)
 */
export async function extract(input: ExtractInput, limits: ExtractionLimits): Promise<ExtractedDocument> {
  const format = detectFormat(input.bytes, input.name, input.contentType);
  if (!format) {
    throw new ExtractionError(
      'The content is not in a supported format: PDF, DOCX, PPTX, XLSX, CSV, HTML, Markdown or plain text.',
    );
  }
  const { title, blocks, pageMetadata } = await parse(format, input, limits);
  // A crawler still wants the links of a page without text.
  if (blocks.length === 0 && !pageMetadata?.links.length) throw new ExtractionError('The document contains no text.');
  const titleFromCaller = normalizeLine(input.title ?? '');
  return {
    format,
    title: titleFromCaller === '' ? (title ?? firstHeading(blocks)) : titleFromCaller,
    text: textOfBlocks(blocks),
    chunks: chunkBlocks(blocks),
    pageMetadata: pageMetadata ?? null,
  };
}

/** Imported on first use: loading pdf.js takes most of a worker thread's start-up time and memory. */
const loadPdf = () => import('./pdf/parse.ts');

async function parse(format: Format, input: ExtractInput, limits: ExtractionLimits): Promise<ParsedDocument> {
  const { bytes, url } = input;
  switch (format) {
    case 'pdf':
      return (await loadPdf()).parsePdf(bytes, limits);
    case 'docx':
      return parseDocx(openZip(bytes, limits.maxUnpackedBytes), limits);
    case 'pptx':
      return parsePptx(openZip(bytes, limits.maxUnpackedBytes), limits);
    case 'xlsx':
      return parseXlsx(openZip(bytes, limits.maxUnpackedBytes), limits);
    case 'html': {
      const text = decodeText(bytes, { contentType: input.contentType, inDocument: true });
      return parseHtml(text, limits, url);
    }
    case 'md':
    case 'csv':
    case 'txt':
      return parseText(format, decodeText(bytes, { contentType: input.contentType }), limits);
  }
}

function parseText(format: 'md' | 'csv' | 'txt', text: string, limits: ExtractionLimits): ParsedDocument {
  if (format === 'md') {
    const { title, blocks } = parseMarkdown(text, limits);
    return { title, blocks };
  }
  // Nearly every byte of these formats is text, so check the size before parsing, which takes many times the memory.
  createTextBudget(limits).spend(text.length);
  return { title: null, blocks: format === 'csv' ? parseCsv(text, limits) : parsePlainText(text, limits) };
}

const firstHeading = (blocks: readonly Block[]): string | null =>
  blocks.find((block) => block.kind === 'heading')?.text ?? null;
