/**
 * Measures how much processor time comparing a question's vector with all vectors of a knowledge base takes, and whether a byte for each dimension
 * finds the same nearest passages as float32.
 *
 *   npm run bench:retrieval:vectors [-- --quick] [-- --passages 100000] [-- --dimensions 768]
 */
import { parseArgs } from 'node:util';
import { sql } from 'kysely';
import { installation, transact } from '../../src/db/transaction.ts';
import { compareWithAll } from '../../src/search/embeddings/nearest-passages.ts';
import { encodeVector, normalize, type UnitVector } from '../../src/search/embeddings/vectors.ts';
import { openLibrary } from '../../test/support/library.ts';
import { cpuMs } from '../support/cpu.ts';
import { median, quick, report } from '../support/report.ts';
import { randomFrom } from './random.ts';

const { values } = parseArgs({
  options: { passages: { type: 'string' }, dimensions: { type: 'string' }, quick: { type: 'boolean' } },
});
const passages = Number(values.passages ?? (quick ? 5000 : 100_000));
const dimensions = Number(values.dimensions ?? 768);
const questions = quick ? 5 : 20;
const topics = 400;
const nearest = 10;

const random = randomFrom(7);
const normal = (): number => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
const randomVector = (): number[] => Array.from({ length: dimensions }, normal);
const topicVectors = Array.from({ length: topics }, randomVector);
/** The vector of a text about a topic: two texts about the same one have a cosine of about 0.5. */
const vectorAbout = (topic: number): UnitVector =>
  normalize(randomVector().map((value, index) => value + topicVectors[topic]![index]!))!;

const settings = { 'embeddings.url': 'http://127.0.0.1:1/', 'embeddings.model': 'none' };
const library = await openLibrary({ settings });
const base = await library.createBase();
await library.put(base, { title: '', text: 'one' });
const { db } = library.app;
const vectors: UnitVector[] = [];
await transact(db, installation, async (tx) => {
  await sql`UPDATE retrieval_spaces SET dimensions = ${dimensions}`.execute(tx);
  for (let id = 1; id <= passages; id++) {
    const vector = vectorAbout(id % topics);
    vectors.push(vector);
    await sql`INSERT INTO retrieval_embeddings (id, organization_id, space_id, content_hash, vector)
      VALUES (${id}, (SELECT id FROM organizations), 1, ${id}, ${encodeVector(vector)})`.execute(tx);
    await sql`INSERT INTO retrieval_vectors (base_id, passage_id, embedding_id) VALUES (1, ${id}, ${id})`.execute(tx);
  }
});

const dot = (a: UnitVector, b: UnitVector): number => a.reduce((sum, value, index) => sum + value * b[index]!, 0);
const idsOfBest = (cosines: Iterable<[number, number]>): number[] =>
  [...cosines]
    .toSorted((a, b) => b[1] - a[1])
    .slice(0, nearest)
    .map(([id]) => id);

const times: number[] = [];
let found = 0;
for (let index = 0; index < questions; index++) {
  const vector = vectorAbout(index % topics);
  const before = cpuMs();
  const comparison = await compareWithAll(db, [1], { space: { id: 1, dimensions }, vector });
  times.push(cpuMs() - before);
  const exact = idsOfBest(vectors.map((other, at): [number, number] => [at + 1, dot(vector, other)]));
  found += idsOfBest(comparison!.cosines).filter((id) => exact.includes(id)).length;
}
await library.close();
report(`a question compared with ${passages} vectors of ${dimensions} dimensions`, [
  { what: 'p50', parley: median(times), unit: 'ms', digits: 0 },
  {
    what: `of the ${nearest} nearest by float32, found`,
    parley: (100 * found) / (nearest * questions),
    unit: '%',
    digits: 1,
    target: { atLeast: 95 },
  },
]);
