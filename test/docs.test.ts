import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { test } from 'node:test';

const root = resolve(import.meta.dirname, '..');

/** A page of docs/ that a comment names, with the heading that may follow it: `docs/api/http.md, "Errors"`. */
const reference = /\bdocs\/([\w/-]+\.md)(?:, "([^"]+)")?/g;

const headingsIn = (file: string): string[] =>
  [...readFileSync(file, 'utf8').matchAll(/^#+ (.+)$/gm)].map(([, heading]) => heading!);

/** The anchor that GitHub gives a heading. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\w\- ]/g, '')
    .replaceAll(' ', '-');

/** The text of a source file in which a comment of several lines is one line. */
const flattened = (file: string): string => readFileSync(file, 'utf8').replaceAll(/\s*\n\s*(?:\*|\/\/) ?/g, ' ');

test('pages and headings of docs/ that comments name exist', () => {
  const problems: string[] = [];
  let seen = 0;
  const files = globSync('{src,bin,test,bench,.build,sql,clients}/**/*.{ts,tsx,js,sql}', {
    cwd: root,
    exclude: (name) => name.includes('node_modules') || name.includes('.generated.'),
  });
  for (const file of files) {
    if (resolve(root, file) === import.meta.filename) continue;
    const text = flattened(join(root, file));
    if (/\((?:contract|interface),/i.test(text)) problems.push(`${file}: names a text that is not in this repository`);
    for (const [, page, heading] of text.matchAll(reference)) {
      seen += 1;
      const target = join(root, 'docs', page!);
      if (!existsSync(target)) problems.push(`${file}: docs/${page} does not exist`);
      else if (heading !== undefined && !headingsIn(target).includes(heading))
        problems.push(`${file}: docs/${page} has no heading "${heading}"`);
    }
  }
  assert.deepEqual(problems, []);
  assert.ok(seen > 20, `only ${seen} references were found`);
});

/** A file of this repository that a text names with a folder: `calls/last-look.ts`, `sql/counters.ts`. */
const namedFile = /(?<![\w./<>…*-])((?:\w[\w-]*\/)+\w[\w.-]*\.(?:tsx?|sql))\b/g;
/** The file of a migration to come. */
const madeUp = /NNNN/;

/** The comments of a source file; the whole of a page. */
const proseIn = (file: string): string =>
  file.endsWith('.md')
    ? readFileSync(file, 'utf8')
    : (readFileSync(file, 'utf8').match(/\/\*\*?[^]*?\*\/|\/\/ .*|-- .*/g) ?? []).join('\n');

test('files that comments and pages name with their folder exist', () => {
  const files = globSync('{src,bin,test,bench,.build,.github,sql,clients,docs}/**/*.{ts,tsx,js,sql,md}', {
    cwd: root,
    exclude: (name) => name.includes('node_modules') || name === 'bench/data',
  });
  const known = files.map((file) => `/${file}`);
  const problems: string[] = [];
  let seen = 0;
  for (const file of ['README.md', ...files]) {
    if (resolve(root, file) === import.meta.filename || file.includes('.generated.')) continue;
    for (const [, named] of proseIn(join(root, file)).matchAll(namedFile)) {
      seen += 1;
      if (!madeUp.test(named!) && !known.some((one) => one.endsWith(`/${named}`)))
        problems.push(`${file}: ${named} does not exist`);
    }
  }
  assert.deepEqual(problems, []);
  assert.ok(seen > 100, `only ${seen} names were found`);
});

test('links between pages lead to pages and headings that exist', () => {
  const problems: string[] = [];
  let seen = 0;
  for (const file of ['README.md', ...globSync('docs/**/*.md', { cwd: root }), 'test/README.md']) {
    const path = join(root, file);
    for (const [, page, anchor] of readFileSync(path, 'utf8').matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)/g)) {
      seen += 1;
      const target = page === '' ? path : resolve(dirname(path), page!);
      if (!existsSync(target)) problems.push(`${file}: ${page} does not exist`);
      else if (anchor !== undefined && !headingsIn(target).map(anchorOf).includes(anchor))
        problems.push(`${file}: ${relative(root, target)} has no heading #${anchor}`);
    }
  }
  assert.deepEqual(problems, []);
  assert.ok(seen > 50, `only ${seen} links were found`);
});

test('a page whose commands use the functions of the first campaign says where they are', () => {
  const uses = /^(?:\w+=\$\()?api (?:GET|POST|PUT|PATCH|DELETE) /m;
  const pages = globSync('docs/**/*.md', { cwd: root }).filter((file) =>
    uses.test(readFileSync(join(root, file), 'utf8')),
  );
  assert.ok(pages.length > 5);
  for (const file of pages)
    assert.match(
      readFileSync(join(root, file), 'utf8'),
      /first-campaign\.md|^api\(\) \{/m,
      `${file} does not say what api is`,
    );
});
