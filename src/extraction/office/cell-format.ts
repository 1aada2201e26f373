import { attribute, readXml } from './xml.ts';

/** How a number is meant. */
export type NumberKind = 'number' | 'percent' | 'date' | 'time' | 'datetime';

/** Formats that every spreadsheet has without naming them (ECMA-376, part 1, 18.8.30). */
const builtIn = new Map<number, NumberKind>([
  ...[9, 10].map((id) => [id, 'percent'] as const),
  ...[14, 15, 16, 17, 27, 30, 31, 36, 50, 57].map((id) => [id, 'date'] as const),
  ...[18, 19, 20, 21, 45, 46, 47].map((id) => [id, 'time'] as const),
  [22, 'datetime'],
]);

/** What the letters of a format's code say, without its texts, colours and conditions. */
export function kindOfCode(code: string): NumberKind {
  const letters = code.split(';', 1)[0]!.replace(/"[^"]*"|\\.|_.|\*.|\[(?!h+\]|m+\]|s+\])[^\]]*\]/gi, '');
  const date = /[yd]/i.test(letters);
  const time = /[hs]/i.test(letters);
  if (date) return time ? 'datetime' : 'date';
  if (time) return 'time';
  if (letters.includes('%')) return 'percent';
  return /^m+$/i.test(letters) ? 'date' : 'number';
}

/** The kinds of a workbook's cell formats, by their place in `styles.xml`. */
export function cellFormats(part: Uint8Array | undefined): readonly NumberKind[] {
  const codes = new Map<number, NumberKind>();
  const formats: NumberKind[] = [];
  let inCells = false;
  if (part) {
    readXml(part, {
      open(name, attributes) {
        const id = Number(attribute(attributes, 'numFmtId'));
        if (name === 'numFmt') codes.set(id, kindOfCode(attribute(attributes, 'formatCode') ?? ''));
        else if (name === 'cellXfs') inCells = true;
        else if (name === 'xf' && inCells) formats.push(codes.get(id) ?? builtIn.get(id) ?? 'number');
      },
      close: (name) => void (inCells &&= name !== 'cellXfs'),
    });
  }
  return formats;
}

const dayMs = 86_400_000;
/** Serial 25,569 is 1970-01-01; a workbook made on an old Macintosh counts from 1904 instead of 1900. */
const unixDay = 25_569;
const days1904 = 1462;
/** 9999-12-31: the last date that spreadsheets know. */
const lastSerial = 2_958_466;

/** A number as people see it: dates by ISO 8601, percentages in percent, no digits that only binary fractions have. */
export function numberText(value: number, kind: NumberKind, from1904: boolean): string {
  if (kind === 'percent') return `${plain(value * 100)}%`;
  if (kind === 'number' || value < 0 || value >= lastSerial) return plain(value);
  const serial = from1904 ? value + days1904 : value;
  const ms = Math.round(((serial - unixDay) * dayMs) / 1000) * 1000;
  const [date = '', time = ''] = Temporal.Instant.fromEpochMilliseconds(ms).toString().split(/[TZ]/);
  const shortTime = time.replace(/:00$/, '');
  if (kind === 'time') return serial < 1 ? shortTime : plain(value * 24);
  return kind === 'date' ? date : `${date} ${shortTime}`;
}

const plain = (value: number): string => String(Number(value.toPrecision(15)));
