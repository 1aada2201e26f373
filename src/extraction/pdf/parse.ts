import { getDocument, VerbosityLevel } from 'unpdf/pdfjs';
import { type Budget, createBudget, createCollector, lineOf, type Limits } from '../blocks/block-collector.ts';
import { ExtractionError } from '../errors.ts';
import type { Block } from '../model.ts';
import { type PageLines, withoutFurniture } from './running-headers.ts';
import { linesOfPage, type TextItem, textOfLine } from './lines.ts';
import { addBlocks } from './structure.ts';

type Document = Awaited<ReturnType<typeof getDocument>['promise']>;

/**
 * A PDF, page by page.
 * @throws ExtractionError when it is protected, damaged, cut off, or has pictures of text only
 */
export async function parsePdf(bytes: Uint8Array, limits: Limits): Promise<{ title: string | null; blocks: Block[] }> {
  if (isCutOff(bytes)) throw damaged('it ends in the middle');
  const missing = new Set<string>();
  const task = getDocument({
    // pdf.js takes what it is given for its own, and empties it.
    data: new Uint8Array(bytes),
    disableFontFace: true,
    useSystemFonts: true,
    isOffscreenCanvasSupported: false,
    enableXfa: false,
    verbosity: VerbosityLevel.ERRORS,
    useWorkerFetch: false,
    BinaryDataFactory: readerData(missing),
  });
  try {
    const document = await task.promise;
    const pages: PageLines[] = [];
    const budget = createBudget(limits);
    for (let number = 1; number <= document.numPages; number += 1) pages.push(await readPage(document, number, budget));
    refuseWithoutText(pages, missing);
    const collector = createCollector(createBudget(limits));
    addBlocks(withoutFurniture(pages), collector);
    return { title: titleOf(await document.getMetadata()), blocks: collector.blocks };
  } catch (error) {
    throw told(error);
  } finally {
    await task.destroy();
  }
}

/** A page with fewer characters is no page of text. */
const fewChars = 100;

function refuseWithoutText(pages: readonly PageLines[], missing: ReadonlySet<string>): void {
  const chars = pages.flatMap(({ lines }) => lines).reduce((sum, line) => sum + textOfLine(line).length, 0);
  const [map] = missing;
  if (map !== undefined && chars < fewChars * pages.length) {
    throw new ExtractionError(
      `The PDF does not say what its characters mean but names a map of them (${map}) that is not at hand; print it to a new PDF.`,
    );
  }
  if (chars > 0) return;
  throw new ExtractionError(
    'The PDF has no text, only pictures of it (a scan?); run text recognition (OCR) over it first.',
  );
}

/**
 * What pdf.js asks for and PDF readers bring along: standard fonts, which text is read without, and character maps of East Asian
 * fonts, which are noted down. A class, because that is what pdf.js takes.
 */
function readerData(missing: Set<string>) {
  return class {
    fetch({ kind, filename }: { kind: string; filename: string }): Promise<never> {
      if (kind === 'cMapUrl') missing.add(filename.replace(/\.bcmap$/, ''));
      return Promise.reject(new Error(`${filename} is not at hand`));
    }
  };
}

/** After the last end mark nothing may follow that is an object; without one, the rest of the file is missing. */
function isCutOff(bytes: Uint8Array): boolean {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = file.lastIndexOf('%%EOF');
  return end === -1 || /\d+ \d+ obj\b/.test(file.toString('latin1', end));
}

async function readPage(document: Document, number: number, budget: Budget): Promise<PageLines> {
  const page = await document.getPage(number);
  const { items } = await page.getTextContent({ includeMarkedContent: false });
  const lines = linesOfPage(items as TextItem[], number);
  for (const line of lines) budget.take(textOfLine(line).length);
  const [, bottom = 0, , top = 0] = page.view;
  page.cleanup();
  return { lines, height: top - bottom };
}

const damaged = (why: string, cause?: unknown): ExtractionError =>
  new ExtractionError(`The PDF is damaged or was cut off: ${why}. Save or upload it again.`, { cause });

function told(error: unknown): ExtractionError {
  if (error instanceof ExtractionError) return error;
  const { name, message } = error as Error;
  if (name === 'PasswordException') {
    return new ExtractionError('The PDF is protected by a password; give a copy without one.', { cause: error });
  }
  return damaged(message.replace(/\.$/, ''), error);
}

/** What programs write when nobody gave a title. */
const noTitle =
  /^(?:untitled|document\d*|microsoft (?:word|powerpoint|excel) - .*|.*\.(?:docx?|indd|pptx?|xlsx?|dvi|tex|pdf))$/i;

function titleOf({ info }: { info: object }): string | null {
  const title = (info as { Title?: unknown }).Title;
  const text = typeof title === 'string' ? lineOf(title) : '';
  return text === '' || noTitle.test(text) ? null : text;
}
