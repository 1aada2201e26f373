import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { test } from 'node:test';
import { allEndpoints } from '../../src/http/routes.ts';

/** The commands of the guides are run by test/long/guides.test.ts. */

const root = resolve(import.meta.dirname, '../..');
const docs = join(root, 'docs');

test('every operation and every file that a guide names exists', () => {
  const served = new Set(allEndpoints().map(({ method, path }) => `${method} ${path.replaceAll(/\{\w+\}/g, '{}')}`));
  const withoutSlash = (line: string): string => line.replace(/\/$/, '');
  const known = new Set([...served].map(withoutSlash));
  let seen = 0;
  for (const file of globSync('**/*.md', { cwd: docs })) {
    const text = readFileSync(join(docs, file), 'utf8');
    for (const [, methods, path] of text.matchAll(
      /`((?:GET|POST|PUT|PATCH|DELETE)(?:\|[A-Z]+)*) (\/api\/v1\/[^\s`?]+)/g,
    )) {
      for (const method of methods!.split('|')) {
        seen += 1;
        const line = withoutSlash(`${method} ${path!.replaceAll(/\{\w+\}/g, '{}')}`);
        assert.ok(known.has(line), `${file}: ${method} ${path}`);
      }
    }
    for (const [, target] of text.matchAll(/\]\((?!https?:|#)([^)#]+)/g)) {
      assert.doesNotThrow(() => readFileSync(join(docs, dirname(file), target!)), `${file}: ${target}`);
    }
  }
  assert.ok(seen > 10, `only ${seen} operations were found`);
});

/** Pages whose commands no test runs, with the reason. */
const notRun: Readonly<Record<string, string>> = {
  'voice.md': 'its commands download models; test/http/voice-guide.test.ts tries its configurations',
  'how-to-add.md': 'shows parts of imagined changes',
  'postgres.md': 'its commands need a PostgreSQL server; test/postgres has them',
  'api/webhooks.md': 'its commands follow events until they are stopped; cli/listen.test.ts has them',
};

test('every page with commands or programs is run by a test', () => {
  const tests = globSync('test/{long,sip,cli,client}/*.test.ts', { cwd: root }).map((file) =>
    readFileSync(join(root, file), 'utf8'),
  );
  let seen = 0;
  for (const file of globSync('**/*.md', { cwd: docs })) {
    if (!/^ *```(?:sh|ts|python|php|go|java|csharp)$/m.test(readFileSync(join(docs, file), 'utf8'))) continue;
    seen += 1;
    const isRun = tests.some((text) => text.includes(`'${file}'`) || text.includes(`docs/${file}'`));
    assert.ok(isRun || Object.hasOwn(notRun, file), `docs/${file} has commands, and no test runs them`);
  }
  assert.ok(seen > 10, `only ${seen} pages have commands`);
});
