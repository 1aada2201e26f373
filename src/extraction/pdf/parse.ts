import { getDocument, VerbosityLevel } from 'unpdf/pdfjs';
import { createBlockCollector } from '../blocks/block-collector.ts';
import { normalizeLine } from '../blocks/normalize.ts';
import { ExtractionError } from '../errors.ts';
import { createTextBudget, type ExtractionLimits, type TextBudget } from '../limits.ts';
import type { Block } from '../model.ts';
import { assembleLines, lineText, type TextItem } from './lines.ts';
import { type PageLines, withoutRunningHeaders } from './running-headers.ts';
import { collectBlocks } from './structure.ts';

type Document = Awaited<ReturnType<typeof getDocument>['promise']>;

/**
 * Parses a PDF page by page.
 * @throws ExtractionError when it is encrypted, damaged or truncated, has more text than `limits` allow, or has text
 *   that cannot be read: only images of it, or a character map that is missing
 */
export async function parsePdf(
  bytes: Uint8Array,
  limits: ExtractionLimits,
): Promise<{ title: string | null; blocks: Block[] }> {
  if (isCutOff(bytes)) throw damaged('it ends in the middle');
  const missing = new Set<string>();
  const task = getDocument({
    // A copy, because pdf.js takes over the buffer and detaches it.
    data: new Uint8Array(bytes),
    disableFontFace: true,
    useSystemFonts: true,
    isOffscreenCanvasSupported: false,
    enableXfa: false,
    verbosity: VerbosityLevel.ERRORS,
    useWorkerFetch: false,
    BinaryDataFactory: missingResourceReader(missing),
  });
  try {
    const document = await task.promise;
    const pages: PageLines[] = [];
    const budget = createTextBudget(limits);
    for (let number = 1; number <= document.numPages; number += 1) pages.push(await readPage(document, number, budget));
    refuseWithoutText(pages, missing);
    const collector = createBlockCollector(createTextBudget(limits));
    collectBlocks(withoutRunningHeaders(pages), collector);
    return { title: titleOf(await document.getMetadata()), blocks: collector.blocks };
  } catch (error) {
    throw asExtractionError(error);
  } finally {
    await task.destroy();
  }
}

/** Below this average the text of a document counts as missing. */
const minCharsPerPage = 100;

function refuseWithoutText(pages: readonly PageLines[], missing: ReadonlySet<string>): void {
  const chars = pages.flatMap(({ lines }) => lines).reduce((sum, line) => sum + lineText(line).length, 0);
  const [map] = missing;
  if (map !== undefined && chars < minCharsPerPage * pages.length) {
    throw new ExtractionError(
      `The PDF refers to a character map (${map}) that is not included in the file, so its text cannot be read. Print it to a new PDF.`,
    );
  }
  if (chars > 0) return;
  throw new ExtractionError(
    'The PDF has no text, only pictures of it, as a scan has. Run text recognition (OCR) on it first.',
  );
}

/**
 * Answers pdf.js's requests for files that PDF readers bundle. Standard fonts are not needed to read text; missing
 * character maps of East Asian fonts are recorded in `missing`. A class, because pdf.js requires one.
 */
function missingResourceReader(missing: Set<string>) {
  return class {
    fetch({ kind, filename }: { kind: string; filename: string }): Promise<never> {
      if (kind === 'cMapUrl') missing.add(filename.replace(/\.bcmap$/, ''));
      return Promise.reject(new Error(`${filename} is not bundled`));
    }
  };
}

/** A truncated file has no end marker, or objects after the last one (an update that was cut off). */
function isCutOff(bytes: Uint8Array): boolean {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = file.lastIndexOf('%%EOF');
  return end === -1 || /\d+ \d+ obj\b/.test(file.toString('latin1', end));
}

async function readPage(document: Document, number: number, budget: TextBudget): Promise<PageLines> {
  const page = await document.getPage(number);
  const { items } = await page.getTextContent({ includeMarkedContent: false });
  const lines = assembleLines(items as TextItem[], number);
  for (const line of lines) budget.spend(lineText(line).length);
  const [, bottom = 0, , top = 0] = page.view;
  page.cleanup();
  return { lines, height: top - bottom };
}

const damaged = (why: string, cause?: unknown): ExtractionError =>
  new ExtractionError(`The PDF is damaged or was cut off: ${why}. Save or upload it again.`, { cause });

function asExtractionError(error: unknown): ExtractionError {
  if (error instanceof ExtractionError) return error;
  const { name, message } = error as Error;
  if (name === 'PasswordException') {
    return new ExtractionError('The PDF is protected by a password. Upload a copy without one.', { cause: error });
  }
  return damaged(message.replace(/\.$/, ''), error);
}

/** Titles that programs fill in when the author gave none. */
const placeholderTitle =
  /^(?:untitled|document\d*|microsoft (?:word|powerpoint|excel) - .*|.*\.(?:docx?|indd|pptx?|xlsx?|dvi|tex|pdf))$/i;

function titleOf({ info }: { info: object }): string | null {
  const title = (info as { Title?: unknown }).Title;
  const text = typeof title === 'string' ? normalizeLine(title) : '';
  return text === '' || placeholderTitle.test(text) ? null : text;
}
