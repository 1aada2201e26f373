/**
 * How long it takes to compare a question's vector with those of all passages of a base, and whether the nearest are found.
 *
 *   npm run bench:retrieval:vectors [-- --quick] [-- --passages 20000] [-- --dimensions 384]
 */
import { parseArgs } from 'node:util';
import { sql } from 'kysely';
import { transact } from '../../src/db/transaction.ts';
import { bytesOf, cosine, signsOf, type Unit, unitOf } from '../../src/search/embeddings/vectors.ts';
import { similarTo } from '../../src/search/recall/similar.ts';
import { openLibrary } from '../../test/support/library.ts';
import { quick, report } from '../support/report.ts';

const { values } = parseArgs({
  options: { passages: { type: 'string' }, dimensions: { type: 'string' }, quick: { type: 'boolean' } },
});
const passages = Number(values.passages ?? (quick ? 2000 : 20_000));
const dimensions = Number(values.dimensions ?? 384);
const questions = 200;
const topics = 400;

/** Texts are about topics; two about the same one have a cosine of about 0.5. */
const bell = (): number => Math.sqrt(-2 * Math.log(1 - Math.random())) * Math.cos(2 * Math.PI * Math.random());
const chance = (): number[] => Array.from({ length: dimensions }, bell);
const centres = Array.from({ length: topics }, chance);
const about = (topic: number): Unit => unitOf(chance().map((value, index) => value + centres[topic]![index]!))!;

const library = await openLibrary({
  settings: { 'embeddings.url': 'http://127.0.0.1:1/', 'embeddings.model': 'none' },
  jobs: () => [],
});
const base = await library.aBase();
const document = await library.put(base, { title: '', chunks: [] });
const { app } = library;
const vectors: Unit[] = [];
await transact(app.db, async (tx) => {
  await sql`UPDATE retrieval_spaces SET dimensions = ${dimensions}`.execute(tx);
  for (let id = 1; id <= passages; id++) {
    const vector = about(id % topics);
    vectors.push(vector);
    await sql`INSERT INTO retrieval_passages (id, base_id, document_id, title, length, content_hash, words, text)
      VALUES (${id}, 1, ${document}, '', 0, ${id}, '', ${'x'.repeat(1000)})`.execute(tx);
    await sql`INSERT INTO retrieval_embeddings (id, organization_id, space_id, content_hash, vector)
      VALUES (${id}, (SELECT id FROM organizations), 1, ${id}, ${bytesOf(vector)})`.execute(tx);
    await sql`INSERT INTO retrieval_vectors (base_id, space_id, passage_id, embedding_id, signs)
      VALUES (1, 1, ${id}, ${id}, ${signsOf(vector)})`.execute(tx);
  }
});

const times: number[] = [];
let found = 0;
const wanted = 10;
for (let index = 0; index < questions; index++) {
  const question = about(index % topics);
  const startedAt = performance.now();
  const similar = await similarTo(app.db, { id: 1, dimensions }, [1], question);
  times.push(performance.now() - startedAt);
  const ids = vectors
    .map((_, at) => at)
    .toSorted((a, b) => cosine(question, vectors[b]!) - cosine(question, vectors[a]!));
  found += ids.slice(0, wanted).filter((at) => similar!.nearest.includes(at + 1)).length;
  if (quick && index === 20) break;
}
await library.close();
const sorted = times.toSorted((a, b) => a - b);
report(`the nearest of ${passages} passages, ${dimensions} dimensions`, [
  { what: 'p50', parley: sorted[Math.floor(sorted.length * 0.5)]!, unit: 'ms', digits: 1 },
  { what: 'p95', parley: sorted[Math.floor(sorted.length * 0.95)]!, unit: 'ms', digits: 1, target: { atMost: 30 } },
  {
    what: `of the ${wanted} nearest, found`,
    parley: (100 * found) / (wanted * times.length),
    unit: '%',
    digits: 1,
    target: { atLeast: 90 },
  },
]);
