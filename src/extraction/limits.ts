import { ExtractionError } from './errors.ts';

/** Limits for extracting one document. */
export type ExtractionLimits = {
  /** Extracted text, in UTF-16 code units. */
  maxTextChars: number;
  /** All parts that are read of a ZIP-based file (DOCX, XLSX, PPTX), unpacked. */
  maxUnpackedBytes: number;
};

/** Counts the text kept of one document and throws once it exceeds the limit. */
export type TextBudget = { spend(chars: number): void };

/** Counted for each block, cell and piece of text on top of its characters, because each takes memory of its own. */
const overheadChars = 4;

export function createTextBudget({ maxTextChars }: ExtractionLimits): TextBudget {
  let left = maxTextChars;
  return {
    spend(chars) {
      left -= chars + overheadChars;
      if (left >= 0) return;
      throw new ExtractionError(
        `The document has more than ${maxTextChars.toLocaleString('en')} characters of text. Split it into smaller files.`,
      );
    },
  };
}
