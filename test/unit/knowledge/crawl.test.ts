import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseRobotsTag } from '../../../src/features/knowledge/crawl/web/robots-tag.ts';
import { crawlableUrl } from '../../../src/features/knowledge/crawl/web/links.ts';
import { isAllowed, parseRobots } from '../../../src/features/knowledge/crawl/web/robots.ts';
import { parseSitemap } from '../../../src/features/knowledge/crawl/web/sitemap.ts';

const allows = (robots: string, path: string): boolean =>
  isAllowed(parseRobots(robots, 'parley'), new URL(`http://example.com${path}`));
const rules = (...lines: string[]): string => ['User-agent: *', ...lines].join('\n');

test('robots.txt: the longest matching rule decides, and of equally long ones allow wins', () => {
  // RFC 9309, 5.2, and 2.2.2
  const robots = rules('Allow: /example/page/', 'Disallow: /example/page/disallowed.gif');
  assert.equal(allows(robots, '/example/page/'), true);
  assert.equal(allows(robots, '/example/page/disallowed.gif'), false);
  assert.equal(allows(rules('Disallow: /page', 'Allow: /page'), '/page'), true);
  assert.equal(allows(rules('Disallow: /', 'Allow: /page'), '/other'), false);
  assert.equal(allows(rules('Disallow:'), '/anything'), true);
  assert.equal(allows(rules('Disallow: /'), '/robots.txt'), true);
  assert.equal(allows('', '/anything'), true);
});

test('robots.txt: * matches anything and $ the end', () => {
  assert.equal(allows(rules('Disallow: *.gif$'), '/a/b.gif'), false);
  assert.equal(allows(rules('Disallow: *.gif$'), '/a/b.gif?x'), true);
  assert.equal(allows(rules('Disallow: /a*b*c'), '/a1b2c3'), false);
  assert.equal(allows(rules('Disallow: /a*b*c'), '/acb'), true);
  assert.equal(allows(rules('Disallow: /x$'), '/x'), false);
  assert.equal(allows(rules('Disallow: /x$'), '/xx'), true);
  assert.equal(allows(rules('Disallow: /*a$'), '/aba'), false);
  assert.equal(
    allows(rules('Disallow: /*ab*b$'), '/ab'),
    true,
    'two pieces of a pattern never match the same character',
  );
});

test('robots.txt: escaped and literal characters compare equal', () => {
  // RFC 9309, 2.2.2
  assert.equal(allows(rules('Disallow: /foo/bar/ツ'), '/foo/bar/%E3%83%84'), false);
  assert.equal(allows(rules('Disallow: /foo/bar/%e3%83%84'), '/foo/bar/ツ'), false);
  assert.equal(allows(rules('Disallow: /foo/bar/%62%61%7A'), '/foo/bar/baz'), false);
  assert.equal(allows(rules('Disallow: /a%2Fb'), '/a/b'), true, 'an escaped slash is not a path separator');
});

test('robots.txt: the group with our name applies, whatever its case and version, else the group for all', () => {
  const robots =
    'User-agent: other\nuser-agent: PARLEY/1.0 # us\nDisallow: /a\n\nUser-agent: *\nDisallow: /b\nUser-agent: parley\nDisallow: /c';
  assert.deepEqual(
    ['/a', '/b', '/c'].map((path) => allows(robots, path)),
    [false, true, false],
    'groups with the same name are merged',
  );
  assert.equal(allows('User-agent: parley-images\nDisallow: /', '/'), true);
  assert.equal(allows('Disallow: /', '/'), true, 'a rule outside of any group');
  assert.equal(allows('\uFEFFUser-agent:*\r\rDisallow:/x', '/x'), false);
});

test('robots.txt: sitemaps and crawl delay are read', () => {
  const robots = parseRobots(
    'Sitemap: http://a/1\nUser-agent: *\nCrawl-delay: 2.5\nSITEMAP:http://a/2\nDisallow: /x\nUser-agent: slow\nCrawl-delay: 9',
    'parley',
  );
  assert.deepEqual(robots.sitemaps, ['http://a/1', 'http://a/2']);
  assert.equal(robots.delayMs, 2500);
  assert.deepEqual(robots.rules, [{ allow: false, pattern: '/x' }]);
  assert.equal(parseRobots('User-agent: *\nCrawl-delay: soon\nCrawl-delay: -3', 'parley').delayMs, 0);
  for (const delay of ['1e999', '1e300', '0.0001', '0.3333']) {
    const { delayMs } = parseRobots(`User-agent: *\nCrawl-delay: ${delay}`, 'parley');
    assert.ok(delayMs > 0 && Number.isSafeInteger(delayMs), `${delay} is ${delayMs}`);
  }
});

test('robots.txt: a rule matches what an equivalent regular expression matches', () => {
  const piece = fc.string({ unit: fc.constantFrom('a', 'b', '/', '*'), maxLength: 8 });
  fc.assert(
    fc.property(
      piece,
      fc.boolean(),
      fc.string({ unit: fc.constantFrom('a', 'b', '/'), maxLength: 10 }),
      (text, end, path) => {
        const pattern = `/${text}`;
        const expression = new RegExp(`^${pattern.replaceAll('*', '.*')}${end ? '$' : ''}`);
        assert.equal(allows(rules(`Disallow: ${pattern}${end ? '$' : ''}`), `/${path}`), !expression.test(`/${path}`));
      },
    ),
    { numRuns: 500 },
  );
});

test('any text can be parsed as robots.txt and as sitemap', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary-ascii', maxLength: 200 }), (text) => {
      parseSitemap(text);
      allows(`User-agent: *\nDisallow: ${text}`, '/');
      return true;
    }),
  );
});

test('a sitemap lists pages, an index lists sitemaps, a text has one URL per line', () => {
  const entry = (url: string) =>
    `<url><loc>${url}</loc><image:image><image:loc>http://a/i.png</image:loc></image:image></url>`;
  assert.deepEqual(
    parseSitemap(`<urlset>${entry('http://a/?x=1&amp;y=2')}${entry('<![CDATA[http://a/z]]>')}</urlset>`),
    {
      pages: ['http://a/?x=1&y=2', 'http://a/z'],
      sitemaps: [],
    },
  );
  assert.deepEqual(
    parseSitemap('<?xml version="1.0"?><sitemapindex><sitemap><loc> http://a/s </loc></sitemap></sitemapindex>'),
    {
      pages: [],
      sitemaps: ['http://a/s'],
    },
  );
  assert.deepEqual(parseSitemap('http://a/1\r\nhttp://a/2\n'), { pages: ['http://a/1', 'http://a/2'], sitemaps: [] });
  assert.deepEqual(parseSitemap('<urlset><loc>never closed'), { pages: [], sitemaps: [] });
});

test('only links to the host of the site are crawled, without fragment, and not to media files', () => {
  const on = (link: string) => crawlableUrl(link, 'example.com:8080');
  assert.equal(on('http://example.com:8080/a?b#c'), 'http://example.com:8080/a?b');
  assert.equal(on('https://example.com:8080/'), 'https://example.com:8080/');
  for (const link of [
    'http://example.com/a',
    'http://user@example.com:8080/',
    'mailto:a@example.com',
    'http://example.com:8080/a.PNG',
    'http://example.com:8080/app.js?v=1',
    `http://example.com:8080/${'a'.repeat(2048)}`,
    'not a URL',
  ]) {
    assert.equal(on(link), undefined, link);
  }
  assert.equal(on('http://example.com:8080/a.pdf'), 'http://example.com:8080/a.pdf');
});

test('X-Robots-Tag applies to all crawlers, or to those it names', () => {
  const tag = (header: string | string[] | undefined) => parseRobotsTag(header, 'parley');
  assert.deepEqual(tag(undefined), { noindex: false, nofollow: false });
  assert.deepEqual(tag('NOINDEX, nofollow'), { noindex: true, nofollow: true });
  assert.deepEqual(tag('none'), { noindex: true, nofollow: true });
  assert.deepEqual(tag('otherbot: noindex, nofollow'), { noindex: false, nofollow: false });
  assert.deepEqual(tag('otherbot: noindex, parley: nofollow'), { noindex: false, nofollow: true });
  assert.deepEqual(tag(['otherbot: noindex', 'noindex']), { noindex: true, nofollow: false });
  assert.deepEqual(tag('unavailable_after: 2030-01-01, noindex'), { noindex: true, nofollow: false });
});
