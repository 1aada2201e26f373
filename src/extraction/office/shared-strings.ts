import type { TextBudget } from '../limits.ts';
import { maxCellChars } from './sheet.ts';
import { readXml, type XmlHandler } from './xml.ts';

/** Collects the texts that cells refer to by index (ECMA-376, part 1, 18.4), without phonetic readings. */
export function sharedStringsHandler(keep: (text: string) => void): XmlHandler {
  let text = '';
  let inText = false;
  let phonetic = false;
  return {
    open(name) {
      if (name === 'si') text = '';
      else if (name === 'rPh') phonetic = true;
      else if (name === 't') inText = true;
    },
    text(piece) {
      if (inText && !phonetic && text.length < maxCellChars) text += piece;
    },
    close(name) {
      if (name === 't') inText = false;
      else if (name === 'rPh') phonetic = false;
      else if (name === 'si') keep(text);
    },
  };
}

export function readSharedStrings(part: Uint8Array | undefined, budget: TextBudget): string[] {
  const strings: string[] = [];
  const keep = (text: string): void => {
    budget.spend(text.length);
    strings.push(text);
  };
  if (part) readXml(part, sharedStringsHandler(keep));
  return strings;
}
