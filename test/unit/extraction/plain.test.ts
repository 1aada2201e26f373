import assert from 'node:assert/strict';
import { test } from 'node:test';
import { read } from './support.ts';

const file = (name: string, text: string) => read({ name, bytes: Buffer.from(text) });

test('Markdown: headings, lists, tables, code and the HTML in it', async () => {
  const { format, title, chunks } = await file(
    'guide.md',
    `# Guide\n\nSome *marked* [text](https://example.com) with &amp; and <b>more</b>.\n\n## Returns\n\n1. Pack it\n2. Send it\n\n| Item | Days |\n|---|--:|\n| Shoe | 30 |\n\n\`\`\`sh\nparley serve\n\`\`\`\n`,
  );
  assert.deepEqual([format, title], ['md', 'Guide']);
  assert.deepEqual(chunks, [
    { heading: 'Guide', page: null, text: 'Some marked text with & and more.' },
    {
      heading: 'Guide › Returns',
      page: null,
      text: '1. Pack it\n2. Send it\n\nItem | Days\nShoe | 30\n\nparley serve',
    },
  ]);
});

test('Markdown: front matter gives the title', async () => {
  const { title, text } = await file('a.md', '---\ntitle: "Our guide"\ntags: [a]\n---\n\nWelcome.\n');
  assert.deepEqual([title, text], ['Our guide', 'Welcome.']);
});

test('Markdown: excessive nesting is refused', async () => {
  await assert.rejects(file('a.md', `${'> '.repeat(6000)}x`), /nests its lists or quotations too deeply/);
});

test('CSV: a file becomes a table, whichever separator it uses', async () => {
  for (const text of [
    'Item,Note\nShoe,"a, ""b"""\n',
    '\uFEFFItem;Note\r\nShoe;"a, ""b"""\r\n',
    'Item\tNote\rShoe\ta, "b"\r',
  ]) {
    const { format, chunks } = await file('prices.csv', text);
    assert.deepEqual([format, chunks], ['csv', [{ heading: null, page: null, text: 'Item | Note\nShoe | a, "b"' }]]);
  }
});

test('CSV: an unclosed quote is read as an ordinary character', async () => {
  const { text } = await file('prices.csv', 'Item,Size\nTube,"5\nPipe,6\n');
  assert.equal(text, 'Item | Size\nTube | "5\nPipe | 6');
});

test('plain text: paragraphs, headings that are underlined or in capitals, bullets', async () => {
  const { format, chunks } = await file(
    'a.txt',
    [
      'GENERAL TERMS\r\n\r\nThis paragraph was wrapped by a program at about seventy columns,\r\nand goes on here.\r\n\r\n',
      'Returns\r\n=======\r\n\r\nYou may return:\r\n- shoes that\r\n  were not worn\r\n- boots\r\n\r\nAda Example\r\n1 Main Street\r\n',
    ].join(''),
  );
  assert.equal(format, 'txt');
  assert.deepEqual(chunks, [
    {
      heading: 'GENERAL TERMS',
      page: null,
      text: 'This paragraph was wrapped by a program at about seventy columns, and goes on here.',
    },
    {
      heading: 'Returns',
      page: null,
      text: 'You may return:\n\n- shoes that were not worn\n  - boots\n\nAda Example\n1 Main Street'.replace(
        '  - boots',
        '- boots',
      ),
    },
  ]);
});

test('text is normalized: no control characters, composed accents', async () => {
  const { text } = await file('a.txt', `Cafe\u0301 \u00ADopen\u200B now\u0007 ${'and then '.repeat(20)}`);
  assert.equal(text.slice(0, 17), 'Café open now and');
});

test('a file without text is refused', async () => {
  for (const text of ['', ' \n\n\t', '\uFEFF']) await assert.rejects(file('a.txt', text), /contains no text/);
});

test('an unsupported file is refused with a list of the supported formats', async () => {
  await assert.rejects(
    read(Buffer.from('89504e470d0a1a0a0000000d', 'hex')),
    /supported format: PDF, DOCX, PPTX, XLSX, CSV, HTML/,
  );
});
