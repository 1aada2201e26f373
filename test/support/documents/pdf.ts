import { deflateSync } from 'node:zlib';

/** Text at a position in points from the lower left corner of an A4 page. */
export type Drawn = { text: string; x: number; y: number; size: number };
export type PdfOptions = {
  title?: string;
  packed?: boolean;
  /** Encrypts the file with an unknown password. */
  locked?: boolean;
};

const pageWidth = 595;
const pageHeight = 842;
const helvetica = '<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>';

/** A PDF string literal. The bullet has its own code in WinAnsi encoding. */
const literal = (text: string): string => `(${text.replace(/[\\()]/g, String.raw`\$&`).replaceAll('•', '\u0095')})`;
const drawn = ({ text, x, y, size }: Drawn): string => `BT /F1 ${size} Tf 1 0 0 1 ${x} ${y} Tm ${literal(text)} Tj ET`;

/** A PDF with the given text on each page. A page without text has a grey rectangle instead, like a scan. */
export function pdfOf(pages: ReadonlyArray<readonly Drawn[]>, options: PdfOptions = {}): Buffer {
  const objects: Buffer[] = [];
  const add = (body: string | Buffer): number => objects.push(Buffer.from(body as string));
  const stream = (dictionary: string, bytes: Buffer): Buffer =>
    Buffer.concat([
      Buffer.from(`<<${dictionary}/Length ${bytes.length}>>\nstream\n`),
      bytes,
      Buffer.from('\nendstream'),
    ]);
  const firstPage = 4;
  const kids = pages.map((_, index) => `${firstPage + 2 * index} 0 R`).join(' ');
  add('<</Type/Catalog/Pages 2 0 R>>');
  add(`<</Type/Pages/Kids[${kids}]/Count ${pages.length}>>`);
  add(helvetica);
  for (const page of pages) {
    const content = Buffer.from(page.length === 0 ? '0.5 g 0 0 595 842 re f' : page.map(drawn).join('\n'), 'latin1');
    const box = `/MediaBox[0 0 ${pageWidth} ${pageHeight}]`;
    add(`<</Type/Page/Parent 2 0 R${box}/Resources<</Font<</F1 3 0 R>>>>/Contents ${objects.length + 2} 0 R>>`);
    add(options.packed ? stream('/Filter/FlateDecode', deflateSync(content)) : stream('', content));
  }
  const info = options.title === undefined ? '' : `/Info ${add(`<</Title${literal(options.title)}>>`)} 0 R`;
  const secret = 'ab'.repeat(32);
  const lock = options.locked
    ? `/Encrypt ${add(`<</Filter/Standard/V 1/R 2/P -4/O<${secret}>/U<${secret}>>>`)} 0 R`
    : '';
  return assembled(objects, `${info}${lock}/ID[<${secret}><${secret}>]`);
}

/** A PDF with one page that has the given content stream and stream dictionary. */
export function pdfWithContent(content: Buffer, dictionary: string): Buffer {
  return assembled(
    [
      Buffer.from('<</Type/Catalog/Pages 2 0 R>>'),
      Buffer.from('<</Type/Pages/Kids[3 0 R]/Count 1>>'),
      Buffer.from('<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 4 0 R>>'),
      Buffer.concat([
        Buffer.from(`<<${dictionary}/Length ${content.length}>>\nstream\n`),
        content,
        Buffer.from('\nendstream'),
      ]),
    ],
    '',
  );
}

/**
 * A PDF with text in a font that refers to a character map it does not include, so that its bytes have no known
 * meaning.
 * @param readable text in a standard font on the same page
 */
export function pdfByCharacterMap(map: string, hex: string, readable = ''): Buffer {
  const content = `BT /F2 6 Tf 72 700 Td ${literal(readable)} Tj ET BT /F1 12 Tf 72 600 Td <${hex}> Tj ET`;
  const objects = [
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Resources<</Font<</F1 5 0 R/F2 8 0 R>>>>/Contents 4 0 R>>',
    `<</Length ${content.length}>>\nstream\n${content}\nendstream`,
    `<</Type/Font/Subtype/Type0/BaseFont/Kaku/Encoding/${map}/DescendantFonts[6 0 R]>>`,
    '<</Type/Font/Subtype/CIDFontType0/BaseFont/Kaku/CIDSystemInfo<</Registry(Adobe)/Ordering(Japan1)/Supplement 2>>/FontDescriptor 7 0 R>>',
    '<</Type/FontDescriptor/FontName/Kaku/Flags 4/FontBBox[0 0 1000 1000]/ItalicAngle 0/Ascent 800/Descent -200/StemV 80>>',
    helvetica,
  ];
  return assembled(
    objects.map((object) => Buffer.from(object)),
    '',
  );
}

function assembled(objects: readonly Buffer[], trailer: string): Buffer {
  const pieces = [Buffer.from('%PDF-1.7\n%\u00E2\u00E3\n', 'latin1')];
  const offsets: number[] = [];
  let at = pieces[0]!.length;
  for (const [index, body] of objects.entries()) {
    const object = Buffer.concat([Buffer.from(`${index + 1} 0 obj\n`), body, Buffer.from('\nendobj\n')]);
    offsets.push(at);
    at += object.length;
    pieces.push(object);
  }
  const entries = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const size = objects.length + 1;
  pieces.push(
    Buffer.from(
      `xref\n0 ${size}\n0000000000 65535 f \n${entries}trailer\n<</Size ${size}/Root 1 0 R${trailer}>>\nstartxref\n${at}\n%%EOF\n`,
    ),
  );
  return Buffer.concat(pieces);
}

/** Consecutive lines with the line spacing of a word processor. */
export function linesAt(top: number, lines: readonly string[], size = 11, x = 72): Drawn[] {
  return lines.map((text, index) => ({ text, x, y: top - index * size * 1.3, size }));
}
