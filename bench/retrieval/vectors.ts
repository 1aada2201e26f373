/**
 * Measures how long comparing a query vector with all vectors of a knowledge base takes, and how many of the nearest it finds.
 *
 *   npm run bench:retrieval:vectors [-- --quick] [-- --passages 20000] [-- --dimensions 384] [-- --common 0.9]
 *
 * `--common` is the share of their length that all vectors have in common, as those of real models do; by default 0.
 */
import { parseArgs } from 'node:util';
import { sql } from 'kysely';
import { installation, transact } from '../../src/db/transaction.ts';
import { enqueueCentring } from '../../src/search/embeddings/embedding-queue.ts';
import { openVectors } from '../../src/search/embeddings/vector-reader.ts';
import { cosine, encodeVector, normalize, signBitsOf, type UnitVector } from '../../src/search/embeddings/vectors.ts';
import { nearestPassages } from '../../src/search/recall/nearest-passages.ts';
import { openLibrary } from '../../test/support/library.ts';
import { quick, report } from '../support/report.ts';

const { values } = parseArgs({
  options: {
    passages: { type: 'string' },
    dimensions: { type: 'string' },
    common: { type: 'string' },
    quick: { type: 'boolean' },
  },
});
const passages = Number(values.passages ?? (quick ? 2000 : 20_000));
const dimensions = Number(values.dimensions ?? 384);
const common = Number(values.common ?? 0);
const queries = 200;
const topics = 400;

const normal = (): number => Math.sqrt(-2 * Math.log(1 - Math.random())) * Math.cos(2 * Math.PI * Math.random());
const randomVector = (): number[] => Array.from({ length: dimensions }, normal);
const commonVector = normalize(randomVector())!;
const topicVectors = Array.from({ length: topics }, randomVector);
/** The vector of a text about a topic: two texts about the same one have a cosine of about 0.5. */
const vectorAbout = (topic: number): UnitVector =>
  addCommon(normalize(randomVector().map((value, index) => value + topicVectors[topic]![index]!))!);
const addCommon = (vector: UnitVector): UnitVector =>
  normalize([...vector].map((value, at) => Math.sqrt(1 - common ** 2) * value + common * commonVector[at]!))!;

const library = await openLibrary({
  settings: { 'embeddings.url': 'http://127.0.0.1:1/', 'embeddings.model': 'none' },
});
const base = await library.createBase();
const document = await library.put(base, { title: '', chunks: [] });
const { app } = library;
const vectors: UnitVector[] = [];
await transact(app.db, installation, async (tx) => {
  await sql`UPDATE retrieval_spaces SET dimensions = ${dimensions}`.execute(tx);
  for (let id = 1; id <= passages; id++) {
    const vector = vectorAbout(id % topics);
    vectors.push(vector);
    await sql`INSERT INTO retrieval_passages (id, base_id, document_id, title, length, content_hash, words, text)
      VALUES (${id}, 1, ${document}, '', 0, ${id}, '', ${'x'.repeat(1000)})`.execute(tx);
    await sql`INSERT INTO retrieval_embeddings (id, organization_id, space_id, content_hash, vector)
      VALUES (${id}, (SELECT id FROM organizations), 1, ${id}, ${encodeVector(vector)})`.execute(tx);
    await sql`INSERT INTO retrieval_vectors (base_id, space_id, passage_id, embedding_id, signs)
      VALUES (1, 1, ${id}, ${id}, ${signBitsOf(vector)})`.execute(tx);
  }
});
await centreAll();

/** Runs the job that computes the centre of all vectors, so that no measured query includes it. */
async function centreAll(): Promise<void> {
  const startedAt = performance.now();
  await transact(app.db, installation, (tx) => enqueueCentring(app, tx, { baseId: 1, centreId: 0, after: 0 }));
  await library.runner.settled();
  console.log(`centring ${passages} vectors took ${Math.round(performance.now() - startedAt)} ms`);
}

const times: number[] = [];
let found = 0;
const checked = 10;
for (let index = 0; index < queries; index++) {
  const query = vectorAbout(index % topics);
  const startedAt = performance.now();
  const nearest = await nearestPassages(await openVectors(app.db, { id: 1, dimensions }, [1]), query);
  times.push(performance.now() - startedAt);
  const exact = vectors
    .map((vector, at) => ({ id: at + 1, cosine: cosine(query, vector) }))
    .toSorted((a, b) => b.cosine - a.cosine);
  found += exact.slice(0, checked).filter(({ id }) => nearest!.passageIds.includes(id)).length;
  if (quick && index === 20) break;
}
await library.close();
const sorted = times.toSorted((a, b) => a - b);
report(`the nearest of ${passages} passages, ${dimensions} dimensions`, [
  { what: 'p50', parley: sorted[Math.floor(sorted.length * 0.5)]!, unit: 'ms', digits: 1 },
  { what: 'p95', parley: sorted[Math.floor(sorted.length * 0.95)]!, unit: 'ms', digits: 1, target: { atMost: 30 } },
  {
    what: `of the ${checked} nearest, found`,
    parley: (100 * found) / (checked * times.length),
    unit: '%',
    digits: 1,
    target: { atLeast: 90 },
  },
]);
