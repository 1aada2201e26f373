import { type Part, zipOf } from './zip.ts';

const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const properties = 'http://schemas.openxmlformats.org/package/2006/relationships/metadata/core-properties';
const xml = (body: string): string => `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n${body}`;
export const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

const relations = (...targets: ReadonlyArray<readonly [id: string, type: string, target: string]>): string =>
  xml(
    `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${targets
      .map(([id, type, target]) => `<Relationship Id="${id}" Type="${type}" Target="${target}"/>`)
      .join('')}</Relationships>`,
  );

function withPackageParts(main: string, title: string | undefined, parts: Part[]): Buffer {
  const core = title === undefined ? [] : [['rId9', properties, 'docProps/core.xml'] as const];
  return zipOf([
    {
      name: '[Content_Types].xml',
      bytes: xml('<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>'),
    },
    { name: '_rels/.rels', bytes: relations(['rId1', `${office}/officeDocument`, main], ...core) },
    ...(title === undefined
      ? []
      : [
          {
            name: 'docProps/core.xml',
            bytes: xml(`<cp:coreProperties><dc:title>${escaped(title)}</dc:title></cp:coreProperties>`),
          },
        ]),
    ...parts,
  ]);
}

const wordStyles = `<w:styles xmlns:w="w">
  <w:style w:type="paragraph" w:styleId="Normal"><w:name w:val="Normal"/></w:style>
  <w:style w:type="paragraph" w:styleId="berschrift1"><w:name w:val="heading 1"/><w:basedOn w:val="Normal"/></w:style>
  <w:style w:type="paragraph" w:styleId="berschrift2"><w:name w:val="heading 2"/><w:basedOn w:val="Normal"/></w:style>
  <w:style w:type="paragraph" w:styleId="House"><w:name w:val="House heading"/><w:basedOn w:val="berschrift2"/></w:style>
  <w:style w:type="paragraph" w:styleId="TOC1"><w:name w:val="toc 1"/></w:style>
  <w:style w:type="paragraph" w:styleId="Points"><w:name w:val="List Bullet"/><w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr></w:style>
</w:styles>`;
const wordNumbering = `<w:numbering xmlns:w="w">
  <w:abstractNum w:abstractNumId="5"><w:lvl w:ilvl="0"><w:numFmt w:val="bullet"/></w:lvl></w:abstractNum>
  <w:abstractNum w:abstractNumId="6"><w:lvl w:ilvl="0"><w:numFmt w:val="decimal"/></w:lvl></w:abstractNum>
  <w:num w:numId="1"><w:abstractNumId w:val="5"/></w:num><w:num w:numId="2"><w:abstractNumId w:val="6"/></w:num>
</w:numbering>`;

/** A DOCX paragraph with text, style and list item (numbering id 1 is bulleted, 2 is ordered). */
export const wordParagraph = (text: string, style = 'Normal', list?: { id: number; depth: number }): string => {
  const numbering = list ? `<w:numPr><w:ilvl w:val="${list.depth}"/><w:numId w:val="${list.id}"/></w:numPr>` : '';
  const runs = text.split(/(?<= )/).map((run) => `<w:r><w:t xml:space="preserve">${escaped(run)}</w:t></w:r>`);
  return `<w:p><w:pPr><w:pStyle w:val="${style}"/>${numbering}</w:pPr>${runs.join('')}</w:p>`;
};

export const wordTable = (rows: readonly string[][]): string =>
  `<w:tbl>${rows.map((row) => `<w:tr>${row.map((cell) => `<w:tc>${wordParagraph(cell)}</w:tc>`).join('')}</w:tr>`).join('')}</w:tbl>`;

/**
 * A DOCX file with the given content of `<w:body>`. Its main part has an unusual name that only the relationships tell.
 */
export function docxOf(body: string, { title, footnotes }: { title?: string; footnotes?: string } = {}): Buffer {
  const notes = footnotes === undefined ? [] : [['rId3', `${office}/footnotes`, 'footnotes.xml'] as const];
  return withPackageParts('word/document2.xml', title, [
    { name: 'word/document2.xml', bytes: xml(`<w:document xmlns:w="w"><w:body>${body}</w:body></w:document>`) },
    {
      name: 'word/_rels/document2.xml.rels',
      bytes: relations(
        ['rId1', `${office}/styles`, 'styles.xml'],
        ['rId2', `${office}/numbering`, '/word/numbering.xml'],
        ...notes,
      ),
    },
    { name: 'word/styles.xml', bytes: xml(wordStyles) },
    { name: 'word/numbering.xml', bytes: xml(wordNumbering) },
    ...(footnotes === undefined
      ? []
      : [{ name: 'word/footnotes.xml', bytes: xml(`<w:footnotes xmlns:w="w">${footnotes}</w:footnotes>`) }]),
  ]);
}

export type Slide = { title?: string; points?: string[]; table?: string[][]; notes?: string };

const shape = (type: string, texts: readonly string[]): string =>
  `<p:sp><p:nvSpPr><p:nvPr><p:ph type="${type}"/></p:nvPr></p:nvSpPr><p:txBody>${texts
    .map((text) => {
      const depth = /^ */.exec(text)![0].length;
      return `<a:p><a:pPr lvl="${depth}"/><a:r><a:t>${escaped(text.trim())}</a:t></a:r></a:p>`;
    })
    .join('')}</p:txBody></p:sp>`;

function slideXml({ title, points = [], table }: Slide, number: number): string {
  const rows = table?.map(
    (row) =>
      `<a:tr>${row.map((cell) => `<a:tc><a:txBody><a:p><a:r><a:t>${escaped(cell)}</a:t></a:r></a:p></a:txBody></a:tc>`).join('')}</a:tr>`,
  );
  return xml(
    `<p:sld><p:cSld><p:spTree>${title === undefined ? '' : shape('title', [title])}${shape('body', points)}${shape(
      'sldNum',
      [`${number}`],
    )}${rows ? `<p:graphicFrame><a:graphic><a:graphicData><a:tbl>${rows.join('')}</a:tbl></a:graphicData></a:graphic></p:graphicFrame>` : ''}</p:spTree></p:cSld></p:sld>`,
  );
}

/**
 * A PPTX file. Part names suggest another order than the presentation has. Each leading space nests a point one level
 * deeper.
 */
export function pptxOf(slides: readonly Slide[], title?: string): Buffer {
  const fileOf = (index: number): string => `slides/slide${slides.length - index}.xml`;
  const ids = slides.map((_, index) => `<p:sldId id="${256 + index}" r:id="rId${index + 1}"/>`).join('');
  return withPackageParts('ppt/presentation.xml', title, [
    { name: 'ppt/presentation.xml', bytes: xml(`<p:presentation><p:sldIdLst>${ids}</p:sldIdLst></p:presentation>`) },
    {
      name: 'ppt/_rels/presentation.xml.rels',
      bytes: relations(...slides.map((_, index) => [`rId${index + 1}`, `${office}/slide`, fileOf(index)] as const)),
    },
    ...slides.flatMap((slide, index) => [
      { name: `ppt/${fileOf(index)}`, bytes: slideXml(slide, index + 1) },
      ...(slide.notes === undefined
        ? []
        : [
            {
              name: `ppt/slides/_rels/slide${slides.length - index}.xml.rels`,
              bytes: relations(['rId1', `${office}/notesSlide`, `../notesSlides/notes${index}.xml`]),
            },
            {
              name: `ppt/notesSlides/notes${index}.xml`,
              bytes: xml(`<p:notes>${shape('body', [slide.notes])}</p:notes>`),
            },
          ]),
    ]),
  ]);
}

/** A number comes with the index of its format: 0 general, 1 percent, 2 a date by its format code, 3 a date by a built-in format's id. */
export type CellValue = string | number | boolean | null | { number: number; format: number } | { inline: string };
export type Sheet = { name: string; rows: CellValue[][]; hidden?: boolean; dimension?: string };

const workbookStyles = `<styleSheet><numFmts count="1"><numFmt numFmtId="164" formatCode="[$-407]dd\\.mm\\.yyyy"/></numFmts>
  <cellStyleXfs><xf numFmtId="14"/></cellStyleXfs>
  <cellXfs><xf numFmtId="0"/><xf numFmtId="9"/><xf numFmtId="164"/><xf numFmtId="22"/></cellXfs></styleSheet>`;

const columnName = (index: number): string =>
  (index >= 26 ? columnName(Math.floor(index / 26) - 1) : '') + String.fromCharCode(65 + (index % 26));

/** @param overrides content of parts, by name, in place of the generated one */
export function xlsxOf(
  sheets: readonly Sheet[],
  title?: string,
  overrides: Readonly<Record<string, string>> = {},
): Buffer {
  const strings: string[] = [];
  const cell = (value: CellValue, reference: string): string => {
    if (value === null) return '';
    if (typeof value === 'string') return `<c r="${reference}" t="s"><v>${strings.push(value) - 1}</v></c>`;
    if (typeof value === 'boolean') return `<c r="${reference}" t="b"><v>${value ? 1 : 0}</v></c>`;
    if (typeof value === 'number') return `<c r="${reference}"><v>${value}</v></c>`;
    if ('inline' in value) return `<c r="${reference}" t="inlineStr"><is><t>${escaped(value.inline)}</t></is></c>`;
    return `<c r="${reference}" s="${value.format}"><v>${value.number}</v></c>`;
  };
  const sheetXml = ({ rows, dimension = 'A1' }: Sheet): string =>
    xml(
      `<worksheet><dimension ref="${dimension}"/><sheetData>${rows
        .map((row, y) =>
          row.length === 0
            ? ''
            : `<row r="${y + 1}">${row.map((value, x) => cell(value, `${columnName(x)}${y + 1}`)).join('')}</row>`,
        )
        .join('')}</sheetData></worksheet>`,
    );
  const sheetParts = sheets.map((sheet, index) => ({
    name: `xl/worksheets/sheet${index + 1}.xml`,
    bytes: sheetXml(sheet),
  }));
  const named = sheets.map(
    ({ name, hidden }, index) =>
      `<sheet name="${escaped(name)}" sheetId="${index + 1}"${hidden ? ' state="hidden"' : ''} r:id="rId${index + 1}"/>`,
  );
  const parts = [
    { name: 'xl/workbook.xml', bytes: xml(`<workbook><sheets>${named.join('')}</sheets></workbook>`) },
    {
      name: 'xl/_rels/workbook.xml.rels',
      bytes: relations(
        ...sheets.map(
          (_, index) => [`rId${index + 1}`, `${office}/worksheet`, `worksheets/sheet${index + 1}.xml`] as const,
        ),
        ['rId98', `${office}/sharedStrings`, 'sharedStrings.xml'],
        ['rId99', `${office}/styles`, 'styles.xml'],
      ),
    },
    ...sheetParts,
    {
      name: 'xl/sharedStrings.xml',
      bytes: xml(
        `<sst>${strings.map((text) => `<si><t>${escaped(text)}</t><rPh><t>ignored reading</t></rPh></si>`).join('')}</sst>`,
      ),
    },
    { name: 'xl/styles.xml', bytes: xml(workbookStyles) },
  ];
  return withPackageParts(
    'xl/workbook.xml',
    title,
    parts.map((part) => ({ ...part, bytes: overrides[part.name] ?? part.bytes })),
  );
}
