import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ExtractionError } from '../../../src/extraction/errors.ts';
import { parseHtml } from '../../../src/extraction/html/parse.ts';
import type { Block, PageMetadata } from '../../../src/extraction/model.ts';
import { limits, read } from './support.ts';

type Brief = [kind: string, content: string | string[][]];
const brief = (block: Block): Brief => {
  if (block.kind === 'table') return ['table', block.rows];
  return [block.kind === 'heading' ? `h${block.level}` : block.kind, block.text];
};
const blocksOf = (html: string): Brief[] => parseHtml(html, limits).blocks.map(brief);
const metadataOf = (html: string, url = 'https://example.com/a/b.html'): PageMetadata =>
  parseHtml(html, limits, url).pageMetadata;

test('paragraphs, headings and preformatted text become blocks', () => {
  assert.deepEqual(
    blocksOf(
      '<h1>Our <em>Guide</em></h1><p>One<br>line\n and   more &amp; &Auml;.<p>Two.<hr>Three<pre>\na\n  b\n</pre>',
    ),
    [
      ['h1', 'Our Guide'],
      ['paragraph', 'One line and more & Ä.'],
      ['paragraph', 'Two.'],
      ['paragraph', 'Three'],
      ['code', 'a\n  b'],
    ],
  );
});

test('lists keep their markers and their nesting', () => {
  const html =
    '<ul><li>One<li>Two<ol><li>Deep<li>Deeper</ol><li><p>Three</p><p>and more</p></ul><dl><dt>Term<dd>Meaning<dt>Other<dd>Sense</dl>';
  assert.deepEqual(blocksOf(html), [
    ['list', '- One\n- Two\n  1. Deep\n  2. Deeper\n- Three and more'],
    ['list', '- Term – Meaning\n- Other – Sense'],
  ]);
});

test('a list used as layout is dissolved into the headings and paragraphs in it', () => {
  assert.deepEqual(
    blocksOf('<ul><li><h3>Returns</h3><p>30 days.</p></li><li><h3>Repairs</h3><p>Two years.</p></li></ul>'),
    [
      ['h3', 'Returns'],
      ['paragraph', '30 days.'],
      ['h3', 'Repairs'],
      ['paragraph', 'Two years.'],
    ],
  );
});

test('tables keep their rows, columns and spanning cells', () => {
  const html = `<table><caption>Prices</caption><thead><tr><th>Item<th colspan=2>Price</thead>
    <tr><td rowspan=2>Shoe<td>EU<td>10<tr><td>US<td>12<tr><td>Boot<td><ul><li>EU<li>UK</ul><td>15</table>`;
  assert.deepEqual(blocksOf(html), [
    ['paragraph', 'Prices'],
    [
      'table',
      [
        ['Item', 'Price', ''],
        ['Shoe', 'EU', '10'],
        ['Shoe', 'US', '12'],
        ['Boot', '- EU - UK', '15'],
      ],
    ],
  ]);
});

test('layout tables are dissolved into the blocks in their cells', () => {
  const html = '<table><tr><td><h2>News</h2><p>Today.<td><table><tr><td>a<td>b<tr><td>c<td>d</table></table>';
  assert.deepEqual(blocksOf(html), [
    ['h2', 'News'],
    ['paragraph', 'Today.'],
    [
      'table',
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
    ],
  ]);
  assert.deepEqual(blocksOf('<table role=presentation><tr><td>a<td>b</table>'), [
    ['paragraph', 'a'],
    ['paragraph', 'b'],
  ]);
  assert.deepEqual(blocksOf('<table><tr><td>One<tr><td>Two</table>'), [
    ['paragraph', 'One'],
    ['paragraph', 'Two'],
  ]);
});

test('scripts, navigation and other boilerplate are left out', () => {
  const html = `<body><script>evil()</script><style>p{}</style><noscript>No</noscript><svg><title>Icon</title></svg>
    <header><h1>Shop</h1></header><nav><a href=/a>Menu</a></nav><div class="x breadcrumb">Home</div><div id=cookie-banner>Cookies</div>
    <p>Content.</p><aside>Ad</aside><div role=search>Find</div><footer>Imprint</footer>`;
  assert.deepEqual(blocksOf(html), [['paragraph', 'Content.']]);
});

test('the main or article element is preferred, including the headers and asides inside it', () => {
  const text = 'Everything about returns. '.repeat(12).trim();
  const html = `<div>Before</div><main><header><h1>Returns</h1></header><p>${text}</p><aside>Mind the label.</aside></main><div>After</div>`;
  assert.deepEqual(blocksOf(html), [
    ['h1', 'Returns'],
    ['paragraph', text],
    ['paragraph', 'Mind the label.'],
  ]);
  assert.deepEqual(blocksOf(`<div>Teaser</div><article><p>${text}</p></article>`), [['paragraph', text]]);
});

test('a main element with hardly any text is ignored', () => {
  const text = 'Everything about returns. '.repeat(40).trim();
  assert.deepEqual(blocksOf(`<main>Loading</main><p>${text}</p>`), [
    ['paragraph', 'Loading'],
    ['paragraph', text],
  ]);
});

test('a page that is all navigation keeps its text', () => {
  assert.deepEqual(blocksOf('<nav>Home Shop</nav>'), [['paragraph', 'Home Shop']]);
});

test('the summary of a details element becomes a heading', () => {
  assert.deepEqual(blocksOf('<h2>FAQ</h2><details><summary>How long?</summary><p>30 days.</p></details>'), [
    ['h2', 'FAQ'],
    ['h6', 'How long?'],
    ['paragraph', '30 days.'],
  ]);
});

test("the title is the caller's, else the page's, else og:title, else the first heading", async () => {
  const og = '<meta property="og:title" content="Shared">';
  assert.equal((await read(`<html><title> A &amp;\n B </title>${og}<h1>C</h1><p>x`)).title, 'A & B');
  assert.equal((await read(`<html>${og}<h1>C</h1><p>x`)).title, 'Shared');
  assert.equal((await read('<html><h1>C</h1><p>x')).title, 'C');
  assert.equal((await read({ bytes: Buffer.from('<html><title>A</title><p>x'), title: 'Given' })).title, 'Given');
});

test('links are absolute, without fragments or duplicates, in document order', () => {
  const html = `<a href="c.html#x">1</a><a href="/d?q=1">2</a><a href="c.html">3</a><nav><a href="//other.example/e">4</a></nav>
    <a href="mailto:x@example.com">5</a><a href="javascript:void 0">6</a><a href="http://[">7</a><a rel="nofollow" href=/g>8</a><area href="?p=2">`;
  assert.deepEqual(metadataOf(html).links, [
    'https://example.com/a/c.html',
    'https://example.com/d?q=1',
    'https://other.example/e',
    'https://example.com/a/b.html?p=2',
  ]);
});

test('the first base element changes the base of relative links', () => {
  const { links, canonical } = metadataOf(
    '<base href="/base/"><base href="/no/"><link rel="x canonical" href="c#y"><a href="d">',
  );
  assert.deepEqual([links, canonical], [['https://example.com/base/d'], 'https://example.com/base/c']);
});

test('robots directives of a page are reported', () => {
  const robots = (meta: string): [boolean, boolean] => {
    const { noindex, nofollow } = metadataOf(meta);
    return [noindex, nofollow];
  };
  assert.deepEqual(robots(''), [false, false]);
  assert.deepEqual(robots('<meta name="ROBOTS" content="NoIndex, follow">'), [true, false]);
  assert.deepEqual(robots('<meta name=robots content=none>'), [true, true]);
  assert.deepEqual(robots('<meta name=parley content="nofollow">'), [false, true]);
  assert.deepEqual(robots('<meta name=googlebot content="noindex">'), [false, false]);
});

test('a page with links but no text is accepted for the crawler; one without either is refused', async () => {
  const page = await read({ bytes: Buffer.from('<html><a href="/a"></a>'), url: 'https://example.com/' });
  assert.deepEqual([page.chunks, page.pageMetadata?.links], [[], ['https://example.com/a']]);
  await assert.rejects(read('<html><p> </p>'), new ExtractionError('The document contains no text.'));
});

test('pages built to exhaust the parser are refused', () => {
  assert.throws(() => parseHtml('<div>'.repeat(100_000), limits), /nests its elements too deeply/);
  assert.throws(() => parseHtml('<p>text'.repeat(300_000), limits), /more than 1,000,000 characters/);
  assert.equal(
    parseHtml('<table><tr><td colspan=999999 rowspan=999999>a<tr><td>b<td>c</table>', limits).blocks.length,
    1,
  );
});
