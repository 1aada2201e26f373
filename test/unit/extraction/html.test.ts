import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ExtractionError } from '../../../src/extraction/errors.ts';
import { parseHtml } from '../../../src/extraction/html/parse.ts';
import type { Block, PageFacts } from '../../../src/extraction/model.ts';
import { limits, read } from './support.ts';

type Short = [kind: string, content: string | string[][]];
const short = (block: Block): Short => {
  if (block.kind === 'table') return ['table', block.rows];
  return [block.kind === 'heading' ? `h${block.level}` : block.kind, block.text];
};
const blocksOf = (html: string): Short[] => parseHtml(html, limits).blocks.map(short);
const factsOf = (html: string, url = 'https://example.com/a/b.html'): PageFacts => parseHtml(html, limits, url).facts;

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

test('lists keep their marks and their depth', () => {
  const html =
    '<ul><li>One<li>Two<ol><li>Deep<li>Deeper</ol><li><p>Three</p><p>and more</p></ul><dl><dt>Term<dd>Meaning<dt>Other<dd>Sense</dl>';
  assert.deepEqual(blocksOf(html), [
    ['list', '- One\n- Two\n  1. Deep\n  2. Deeper\n- Three and more'],
    ['list', '- Term – Meaning\n- Other – Sense'],
  ]);
});

test('lists that lay out cards give way to the headings in them', () => {
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

test('tables keep rows and columns, cells over several of them included', () => {
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

test('tables that lay out a page give way to what is in them', () => {
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

test('scripts, navigation and what stands around the content are left out', () => {
  const html = `<body><script>evil()</script><style>p{}</style><noscript>No</noscript><svg><title>Icon</title></svg>
    <header><h1>Shop</h1></header><nav><a href=/a>Menu</a></nav><div class="x breadcrumb">Home</div><div id=cookie-banner>Cookies</div>
    <p>Content.</p><aside>Ad</aside><div role=search>Find</div><footer>Imprint</footer>`;
  assert.deepEqual(blocksOf(html), [['paragraph', 'Content.']]);
});

test('the main part is preferred where a page names one, with its own headers and asides', () => {
  const text = 'Everything about returns. '.repeat(12).trim();
  const html = `<div>Before</div><main><header><h1>Returns</h1></header><p>${text}</p><aside>Mind the label.</aside></main><div>After</div>`;
  assert.deepEqual(blocksOf(html), [
    ['h1', 'Returns'],
    ['paragraph', text],
    ['paragraph', 'Mind the label.'],
  ]);
  assert.deepEqual(blocksOf(`<div>Teaser</div><article><p>${text}</p></article>`), [['paragraph', text]]);
});

test('a main part with hardly anything in it is not believed', () => {
  const text = 'Everything about returns. '.repeat(40).trim();
  assert.deepEqual(blocksOf(`<main>Loading</main><p>${text}</p>`), [
    ['paragraph', 'Loading'],
    ['paragraph', text],
  ]);
});

test('a page that is all navigation is read all the same', () => {
  assert.deepEqual(blocksOf('<nav>Home Shop</nav>'), [['paragraph', 'Home Shop']]);
});

test('questions that unfold are headings of their answers', () => {
  assert.deepEqual(blocksOf('<h2>FAQ</h2><details><summary>How long?</summary><p>30 days.</p></details>'), [
    ['h2', 'FAQ'],
    ['h6', 'How long?'],
    ['paragraph', '30 days.'],
  ]);
});

test("the title is the page's, else the one for sharing, else its first heading, unless one is given", async () => {
  const og = '<meta property="og:title" content="Shared">';
  assert.equal((await read(`<html><title> A &amp;\n B </title>${og}<h1>C</h1><p>x`)).title, 'A & B');
  assert.equal((await read(`<html>${og}<h1>C</h1><p>x`)).title, 'Shared');
  assert.equal((await read('<html><h1>C</h1><p>x')).title, 'C');
  assert.equal((await read({ bytes: Buffer.from('<html><title>A</title><p>x'), title: 'Given' })).title, 'Given');
});

test('links are absolute, without fragment, each once, in their order', () => {
  const html = `<a href="c.html#x">1</a><a href="/d?q=1">2</a><a href="c.html">3</a><nav><a href="//other.example/e">4</a></nav>
    <a href="mailto:x@example.com">5</a><a href="javascript:void 0">6</a><a href="http://[">7</a><a rel="nofollow" href=/g>8</a><area href="?p=2">`;
  assert.deepEqual(factsOf(html).links, [
    'https://example.com/a/c.html',
    'https://example.com/d?q=1',
    'https://other.example/e',
    'https://example.com/a/b.html?p=2',
  ]);
});

test('a base changes what links are relative to, the first one only', () => {
  const { links, canonical } = factsOf(
    '<base href="/base/"><base href="/no/"><link rel="x canonical" href="c#y"><a href="d">',
  );
  assert.deepEqual([links, canonical], [['https://example.com/base/d'], 'https://example.com/base/c']);
});

test('what a page tells robots is told on', () => {
  const robots = (meta: string): [boolean, boolean] => {
    const { noindex, nofollow } = factsOf(meta);
    return [noindex, nofollow];
  };
  assert.deepEqual(robots(''), [false, false]);
  assert.deepEqual(robots('<meta name="ROBOTS" content="NoIndex, follow">'), [true, false]);
  assert.deepEqual(robots('<meta name=robots content=none>'), [true, true]);
  assert.deepEqual(robots('<meta name=parley content="nofollow">'), [false, true]);
  assert.deepEqual(robots('<meta name=googlebot content="noindex">'), [false, false]);
});

test('a page without text but with links is no error to a crawler; one without either is', async () => {
  const page = await read({ bytes: Buffer.from('<html><a href="/a"></a>'), url: 'https://example.com/' });
  assert.deepEqual([page.chunks, page.page?.links], [[], ['https://example.com/a']]);
  await assert.rejects(read('<html><p> </p>'), new ExtractionError('There is no text in it.'));
});

test('pages that no person wrote are refused, not read for ever', () => {
  assert.throws(() => parseHtml('<div>'.repeat(100_000), limits), /nests its elements too deeply/);
  assert.throws(() => parseHtml('<p>text'.repeat(300_000), limits), /more than 1,000,000 characters/);
  assert.equal(
    parseHtml('<table><tr><td colspan=999999 rowspan=999999>a<tr><td>b<td>c</table>', limits).blocks.length,
    1,
  );
});
