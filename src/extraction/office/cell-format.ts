import { dayMs } from '../../base/clock.ts';
import { attributeOf, readXml } from './xml.ts';

/** How a number is displayed. */
export type NumberFormat = 'number' | 'percent' | 'date' | 'time' | 'datetime';

/** Number formats that are predefined by id (ECMA-376, part 1, 18.8.30). */
const builtIn = new Map<number, NumberFormat>([
  ...[9, 10].map((id) => [id, 'percent'] as const),
  ...[14, 15, 16, 17, 27, 30, 31, 36, 50, 57].map((id) => [id, 'date'] as const),
  ...[18, 19, 20, 21, 45, 46, 47].map((id) => [id, 'time'] as const),
  [22, 'datetime'],
]);

/** Spreadsheets allow 255. In a longer code that never closes its brackets, the search for each one's end would be quadratic. */
const maxCodeChars = 1000;

/** Classifies a format code such as `dd.mm.yyyy`, ignoring its quoted texts, colours and conditions. */
export function parseFormatCode(code: string): NumberFormat {
  const [positive = ''] = code.slice(0, maxCodeChars).split(';', 1);
  const letters = positive.replace(/"[^"]*"|\\.|_.|\*.|\[(?!h+\]|m+\]|s+\])[^\]]*\]/gi, '');
  const date = /[yd]/i.test(letters);
  const time = /[hs]/i.test(letters);
  if (date) return time ? 'datetime' : 'date';
  if (time) return 'time';
  if (letters.includes('%')) return 'percent';
  return /^m+$/i.test(letters) ? 'date' : 'number';
}

/** Spreadsheets allow 65,490 cell formats. Cells that refer to a later one are plain numbers. */
const maxFormats = 65_536;

/** Reads the number formats of cell styles from `styles.xml`; cells refer to them by index. */
export function readCellFormats(part: Uint8Array | undefined): readonly NumberFormat[] {
  const codes = new Map<number, NumberFormat>();
  const formats: NumberFormat[] = [];
  let inCells = false;
  if (part) {
    readXml(part, {
      open(name, attributes) {
        if (name === 'cellXfs') inCells = true;
        if (codes.size >= maxFormats || formats.length >= maxFormats) return;
        const id = Number(attributeOf(attributes, 'numFmtId'));
        if (name === 'numFmt') codes.set(id, parseFormatCode(attributeOf(attributes, 'formatCode') ?? ''));
        else if (name === 'xf' && inCells) formats.push(codes.get(id) ?? builtIn.get(id) ?? 'number');
      },
      close: (name) => void (inCells &&= name !== 'cellXfs'),
    });
  }
  return formats;
}

/** Serial number of 1970-01-01 in a workbook that counts days from 1900; those of old Macintoshes count from 1904. */
const unixEpochSerial = 25_569;
const daysFrom1900To1904 = 1462;
/** One more than the serial number of 9999-12-31, the last date in spreadsheets. */
const endSerial = 2_958_466;

/**
 * Formats a number for reading: dates as ISO 8601, percentages with a percent sign, no floating-point rounding digits.
 */
export function formatNumber(value: number, kind: NumberFormat, from1904: boolean): string {
  if (kind === 'percent') return `${withoutRoundingDigits(value * 100)}%`;
  if (kind === 'number' || value < 0 || value >= endSerial) return withoutRoundingDigits(value);
  const serial = from1904 ? value + daysFrom1900To1904 : value;
  const ms = Math.round(((serial - unixEpochSerial) * dayMs) / 1000) * 1000;
  const [date = '', time = ''] = Temporal.Instant.fromEpochMilliseconds(ms).toString().split(/[TZ]/);
  const shortTime = time.replace(/:00$/, '');
  if (kind === 'time') return serial < 1 ? shortTime : withoutRoundingDigits(value * 24);
  return kind === 'date' ? date : `${date} ${shortTime}`;
}

const withoutRoundingDigits = (value: number): string => String(Number(value.toPrecision(15)));
