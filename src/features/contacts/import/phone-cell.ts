import { isE164 } from '../../../base/phone.ts';
import { parseWrittenPhone } from '../../../base/written-phone.ts';

/** A phone number, or why the cell has none; the reason completes "phone …". */
export type PhoneCell = { phone: string } | { fault: string };

const expectation = 'must be a telephone number in E.164 form with a valid country code, like +4930901820';

/**
 * Reads a phone number as people and spreadsheets write it: with spaces, brackets, `00` or `tel:`, as a number, or behind the apostrophe
 * that marks text. A number without a country is read as one of `country`.
 */
export function readPhoneCell(cell: string, country: string | null): PhoneCell {
  const text = withoutMarks(cell);
  if (isE164(text)) return { phone: text };
  const digits = fromScientific(text);
  if (digits === null) {
    return { fault: `was shortened by a spreadsheet to ${text}; format its column as text and export the file again` };
  }
  const number = parseWrittenPhone(digits ?? text, country);
  if (number?.ext !== undefined) return { fault: 'has an extension, which cannot be dialed; give the number alone' };
  if (number) return { phone: number.number };
  const isNational = country === null && /^[\d\s()/.-]+$/.test(text);
  return { fault: `${expectation}${isNational ? '; default_country says of which country national numbers are' : ''}` };
}

/** Removes spaces, apostrophes, invisible direction marks, `tel:`, and the `.0` of a program that took the number for a decimal. */
const withoutMarks = (cell: string): string =>
  cell
    .replaceAll(/[\u200B-\u200F\u202A-\u202E\u2060\u2066-\u2069\uFEFF]/g, '')
    .trim()
    .replace(/^['’`]+/, '')
    .replace(/^tel:/i, '')
    .replace(/^(\+?\d{7,})[.,]0+$/, '$1')
    .trim();

/** The digits of a number like `4.930901820E+9`; null if digits are missing, undefined for any other text. */
function fromScientific(text: string): string | null | undefined {
  const match = /^(\+?)(\d)(?:[.,](\d+))?e\+?(\d{1,2})$/i.exec(text);
  if (!match) return undefined;
  const [, sign, first, decimals = '', exponent] = match;
  return decimals.length === Number(exponent) ? `${sign}${first}${decimals}` : null;
}
