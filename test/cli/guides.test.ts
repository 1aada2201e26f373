import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { test } from 'node:test';
import { allEndpoints } from '../../src/http/routes.ts';

/** The commands of the guides are run by test/long/guides.test.ts. */

const docs = resolve(import.meta.dirname, '../../docs');

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
