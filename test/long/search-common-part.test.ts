import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { type ModelShape, shapedBagOfWords } from '../support/constructed-models.ts';
import { startFakeEmbeddings } from '../support/fake-embeddings.ts';
import { type Library, openLibrary } from '../support/library.ts';

const shapes: ModelShape[] = [
  { dimensions: 64, common: 0, outliers: false, int8: false },
  { dimensions: 64, common: 0.95, outliers: true, int8: false },
  { dimensions: 384, common: 0.5, outliers: true, int8: true },
  { dimensions: 384, common: 0.95, outliers: false, int8: true },
  { dimensions: 768, common: 0.8, outliers: true, int8: true },
  { dimensions: 1536, common: 0, outliers: false, int8: true },
  { dimensions: 1536, common: 0.95, outliers: true, int8: false },
];
const passages = 300;

/** Synonym groups: each passage contains the first word of a group, and its question another word of it. */
const meanings = Array.from(
  { length: passages },
  (_, index) => [`wort${letters(index)}`, `mot${letters(index)}`] as const,
);
const unknownWords = Array.from({ length: 20 }, (_, index) => `nonsense${letters(index)}`);

function letters(index: number): string {
  return `${'bcdfghklmnprstvz'[index % 16]}${'aeiou'[Math.floor(index / 16) % 5]}${'xqjw'[Math.floor(index / 80)]}z`;
}

async function openWorld(t: TestContext, shape: ModelShape): Promise<{ library: Library; base: string }> {
  const endpoint = await startFakeEmbeddings(shapedBagOfWords(shape, meanings));
  t.after(() => endpoint.close());
  const settings = {
    'embeddings.url': endpoint.url,
    'embeddings.model': 'constructed',
    'embeddings.query_timeout_ms': '10000',
  };
  const library = await openLibrary({ settings });
  t.after(() => library.close());
  return { library, base: await library.createBase() };
}

for (const shape of shapes) {
  const name = `${shape.dimensions} dimensions${shape.int8 ? ' of a byte' : ''}, ${shape.common} in common${shape.outliers ? ' in a few dimensions' : ''}`;
  test(`the nearest passage is found first, and nonsense scores low: ${name}`, async (t) => {
    const { library, base } = await openWorld(t, shape);
    const chunks = meanings.map(([word], index) => ({
      text: `${word} filler${letters(index)} other${letters(index)}`,
      heading: null,
      page: null,
    }));
    await library.put(base, { title: '', chunks });
    await library.runner.settled();
    for (const [word, synonym] of meanings.slice(0, 20)) {
      const [first] = await library.ask(base, synonym);
      assert.ok(first?.text.startsWith(`${word} `), `${synonym}: ${first?.text}`);
    }
    for (const word of unknownWords) {
      const [first] = await library.ask(base, word);
      assert.ok((first?.score ?? 0) < 0.5, `${word}: ${first?.text} has ${first?.score}`);
    }
  });
}
