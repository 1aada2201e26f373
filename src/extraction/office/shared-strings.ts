import type { Budget } from '../blocks/block-collector.ts';
import { readXml } from './xml.ts';

/** The texts of a workbook that its cells refer to by number (ECMA-376, part 1, 18.4), without phonetic readings. */
export function sharedStrings(part: Uint8Array | undefined, budget: Budget): string[] {
  const strings: string[] = [];
  let text = '';
  let inText = false;
  let phonetic = false;
  if (part) {
    readXml(part, {
      open(name) {
        if (name === 'si') text = '';
        else if (name === 'rPh') phonetic = true;
        else if (name === 't') inText = true;
      },
      text: (piece) => void (text += inText && !phonetic ? piece : ''),
      close(name) {
        if (name === 't') inText = false;
        else if (name === 'rPh') phonetic = false;
        else if (name === 'si') {
          budget.take(text.length);
          strings.push(text);
        }
      },
    });
  }
  return strings;
}
