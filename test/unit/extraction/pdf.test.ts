import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Drawn, linesAt, pdfByCharacterMap, pdfOf } from '../../support/documents/pdf.ts';
import { read } from './support.ts';

const row = (y: number, ...cells: string[]): Drawn[] =>
  cells.map((text, index) => ({ text, x: 72 + index * 130, y, size: 11 }));

test('headings are found by font size, paragraphs by line distance, lists by bullets, tables by columns', async () => {
  const page = [
    ...linesAt(780, ['Guide'], 24),
    ...linesAt(740, ['Returns'], 16),
    ...linesAt(710, ['Whoever bought some-', 'thing from us may return', 'it within 30 days.']),
    ...linesAt(640, ['The label must be on it.', '• shoes', '• boots that were', 'not worn']),
    ...row(540, 'Item', 'Days', 'Fee'),
    ...row(525, 'Shoe', '30', 'none'),
    ...row(510, 'Boot', '14', '5 EUR'),
    ...linesAt(470, ['Repairs'], 16),
    ...linesAt(440, ['We repair for two years.']),
  ];
  for (const packed of [false, true]) {
    const { format, title, chunks } = await read(pdfOf([page], { packed, title: 'Handbook' }));
    assert.deepEqual([format, title], ['pdf', 'Handbook']);
    assert.deepEqual(chunks, [
      {
        heading: 'Guide › Returns',
        page: 1,
        text: [
          'Whoever bought something from us may return it within 30 days.',
          'The label must be on it.',
          '• shoes\n• boots that were not worn',
          'Item | Days | Fee\nShoe | 30 | none\nBoot | 14 | 5 EUR',
        ].join('\n\n'),
      },
      { heading: 'Guide › Repairs', page: 1, text: 'We repair for two years.' },
    ]);
  }
});

test('running headers and page numbers are removed, chapter titles stay, and passages know their pages', async () => {
  const pages = [1, 2, 3, 4].map((number) => [
    ...linesAt(815, ['ACME handbook']),
    ...linesAt(800, [`Chapter ${number}`], 20),
    ...linesAt(700, [`This is what chapter ${number} says.`]),
    ...linesAt(30, [`Page ${number} of 4`]),
  ]);
  assert.deepEqual(
    (await read(pdfOf(pages))).chunks,
    [1, 2, 3, 4].map((number) => ({
      heading: `Chapter ${number}`,
      page: number,
      text: `This is what chapter ${number} says.`,
    })),
  );
});

test('chapter headers and bare page numbers are removed; a table of contents has no headings', async () => {
  const pages = [1, 2, 3, 4, 5, 6].map((number) => [
    ...linesAt(815, [number > 3 ? `Chapter 2: Repairs ${number}` : `Chapter 1: Returns ${number}`]),
    ...linesAt(700, [`Passage ${number} says this.`]),
  ]);
  const contents = [
    ...linesAt(780, ['Contents'], 20),
    ...linesAt(740, ['Repairs . . . . . . . . . 4'], 16),
    ...linesAt(30, ['ii']),
  ];
  const { chunks } = await read(pdfOf([contents, ...pages]));
  assert.deepEqual(chunks, [
    {
      heading: 'Contents',
      page: 1,
      text: ['Repairs … 4', ...pages.map((_, index) => `Passage ${index + 1} says this.`)].join('\n\n'),
    },
  ]);
});

test('a sentence that continues on the next page is joined', async () => {
  const { text } = await read(pdfOf([linesAt(60, ['We take back everything']), linesAt(780, ['that was not worn.'])]));
  assert.equal(text, 'We take back everything that was not worn.');
});

test('a title that a program filled in from the file name is ignored', async () => {
  const { title } = await read(
    pdfOf([[...linesAt(780, ['Guide'], 24), ...linesAt(700, ['Some text of the body.'])]], {
      title: 'Microsoft Word - guide_v2.doc',
    }),
  );
  assert.equal(title, 'Guide');
});

test('an unreadable PDF is refused with the reason', async () => {
  const page = linesAt(700, ['Hello']);
  const whole = pdfOf([page, page], { title: 'A' });
  await assert.rejects(read(pdfOf([[], []])), /no text, only pictures of it.*OCR/);
  await assert.rejects(read(pdfByCharacterMap('90ms-RKSJ-H', '82b182f1')), /a character map \(90ms-RKSJ-H\).*new PDF/);
  await assert.rejects(read(pdfOf([page], { locked: true })), /protected by a password/);
  await assert.rejects(read(Buffer.from('%PDF-1.7\nnothing\n%%EOF\n')), /damaged or was cut off/);
  for (const share of [0.1, 0.5, 0.9]) {
    await assert.rejects(read(whole.subarray(0, Math.floor(whole.length * share))), /ends in the middle/);
  }
  const appended = Buffer.concat([whole, Buffer.from('9 0 obj\n<</Type/Page')]);
  await assert.rejects(read(appended), /ends in the middle/);
});
