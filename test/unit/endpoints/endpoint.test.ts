import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { changesOf } from '../../../src/features/endpoints/endpoint.ts';

const endpoints = [
  { url: 'https://a.example', position: 0, status: 'delivering' as const },
  { url: 'https://b.example', position: 1, status: 'failing' as const },
  { url: 'https://c.example', position: 2, status: 'failing' as const },
];
const [a, b, c] = endpoints;
const none = { added: [], moved: [], removed: [], resumed: [] };

test('saving URLs adds new ones, removes missing ones and resumes failing ones that are saved again', () => {
  const urls = ['https://a.example', 'https://b.example', 'https://d.example', 'https://d.example'];
  assert.deepEqual(changesOf(endpoints, urls), {
    ...none,
    added: [{ url: 'https://d.example', position: 2 }],
    removed: [c],
    resumed: [b],
  });
  assert.deepEqual(changesOf(endpoints, []), { ...none, removed: endpoints });
  assert.deepEqual(changesOf([a!], ['https://a.example']), none);
});

test('saving URLs in another order moves their endpoints', () => {
  assert.deepEqual(changesOf([a!, b!], ['https://b.example', 'https://d.example', 'https://a.example']), {
    added: [{ url: 'https://d.example', position: 1 }],
    moved: [
      { endpoint: a, position: 2 },
      { endpoint: b, position: 0 },
    ],
    removed: [],
    resumed: [b],
  });
});

test('the endpoints that result always have the saved URLs in their order, without gaps', () => {
  const anyUrls = fc.array(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'));
  fc.assert(
    fc.property(anyUrls, anyUrls, (before, urls) => {
      const existing = [...new Set(before)].map((url, position) => ({ url, position, status: 'delivering' as const }));
      const { added, moved, removed } = changesOf(existing, urls);
      const positions = new Map<string, number>(existing.map(({ url, position }) => [url, position]));
      for (const { url } of removed) positions.delete(url);
      for (const { endpoint, position } of moved) positions.set(endpoint.url, position);
      for (const { url, position } of added) positions.set(url, position);
      assert.deepEqual(
        [...positions].toSorted((x, y) => x[1] - y[1]),
        [...new Set(urls)].map((url, i) => [url, i]),
      );
    }),
  );
});
