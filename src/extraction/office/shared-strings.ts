import type { TextBudget } from '../limits.ts';
import { readXml } from './xml.ts';

/** Reads the texts that cells refer to by index (ECMA-376, part 1, 18.4), without phonetic readings. */
export function readSharedStrings(part: Uint8Array | undefined, budget: TextBudget): string[] {
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
          budget.spend(text.length);
          strings.push(text);
        }
      },
    });
  }
  return strings;
}
