import { decodeText } from './plain/charset.ts';
import { chunksOf } from './chunking/chunker.ts';
import { createBudget, type Limits, lineOf, textOfBlocks } from './blocks/block-collector.ts';
import { parseCsv } from './plain/csv.ts';
import { ExtractionError } from './errors.ts';
import { formatOf } from './detect-format.ts';
import { parseHtml } from './html/parse.ts';
import { parseMarkdown } from './plain/markdown.ts';
import type { Block, Extracted, ExtractInput, Format, PageFacts } from './model.ts';
import { parseDocx } from './office/docx.ts';
import { parsePptx } from './office/pptx.ts';
import { parseXlsx } from './office/xlsx.ts';
import { parsePlain } from './plain/plain-text.ts';
import { openZip } from './office/zip.ts';

type Parsed = { title: string | null; blocks: Block[]; facts?: PageFacts };

/**
 * Bytes to passages. It takes as long and as much memory as the bytes ask for: pool.ts runs it under limits.
 * @throws ExtractionError for what cannot be read, or has no text
 */
export async function extract(input: ExtractInput, limits: Limits): Promise<Extracted> {
  const format = formatOf(input.bytes, input.name, input.contentType);
  if (!format) {
    throw new ExtractionError('The file is none of PDF, DOCX, PPTX, XLSX, CSV, HTML, Markdown and plain text.');
  }
  const { title, blocks, facts } = await parse(format, input, limits);
  // A page that only leads elsewhere is worth its links to a crawler.
  if (blocks.length === 0 && !facts?.links.length) throw new ExtractionError('There is no text in it.');
  const given = lineOf(input.title ?? '');
  return {
    format,
    title: given === '' ? (title ?? firstHeading(blocks)) : given,
    text: textOfBlocks(blocks),
    chunks: chunksOf(blocks),
    page: facts ?? null,
  };
}

/** pdf.js takes most of the time and memory that a thread needs to start. */
const loadPdf = () => import('./pdf/parse.ts');

async function parse(format: Format, input: ExtractInput, limits: Limits): Promise<Parsed> {
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

function parseText(format: 'md' | 'csv' | 'txt', text: string, limits: Limits): Parsed {
  if (format === 'md') {
    const { title, blocks } = parseMarkdown(text, limits);
    return { title, blocks };
  }
  // Next to nothing of these is not text, and telling that from the rest takes many times their size.
  createBudget(limits).take(text.length);
  return { title: null, blocks: format === 'csv' ? parseCsv(text, limits) : parsePlain(text, limits) };
}

const firstHeading = (blocks: readonly Block[]): string | null =>
  blocks.find((block) => block.kind === 'heading')?.text ?? null;
