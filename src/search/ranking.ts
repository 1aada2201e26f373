import type { Queryable } from '../db/transaction.ts';
import { basesOf } from './index/sqlite/bases.ts';
import type { QuestionVector } from './embeddings/question-vector.ts';
import { fused, meaningOf } from './score/fuse.ts';
import { gather, maxCandidates } from './recall/gather.ts';
import { type Candidate, candidatesOf } from './index/sqlite/passages.ts';
import { understand } from './query/question.ts';
import { rank, type Ranked } from './score/bm25f.ts';
import { cosinesOf, type Similar, similarTo } from './recall/similar.ts';

export type Asked = { knowledgeBaseIds: readonly string[]; query: string; limit: number };

/**
 * Candidates for the answer to a question with their scores, in no order: by words, and by vectors where there are any. As many as
 * there are, up to `limit`, say different things.
 */
export async function rankedFor(
  db: Queryable,
  { knowledgeBaseIds, query, limit }: Asked,
  vector: QuestionVector | undefined,
): Promise<Ranked[]> {
  const bases = await basesOf(db, knowledgeBaseIds);
  if (bases.length === 0) return [];
  const ids = bases.map(({ id }) => id);
  const passages = bases.reduce((sum, base) => sum + base.passages, 0);
  const words = bases.reduce((sum, base) => sum + base.words, 0);
  const near = vector && (await nearTo(db, ids, vector));
  const gathered = await gather(db, { ids, passages }, await understand(db, ids, query));
  const candidates = await candidatesAmong(db, gathered.ids, near?.similar.nearest ?? [], limit);
  const ranked = rank(candidates, gathered.concepts, words / passages, gathered.rare);
  const judged = near ? await raised(db, ranked, near) : ranked;
  return judged.filter(({ score }) => score > 0);
}

/** The best by words, and those that are near; further ones only where so few are left that say something else. */
async function candidatesAmong(
  db: Queryable,
  ids: readonly number[],
  near: readonly number[],
  limit: number,
): Promise<Candidate[]> {
  const candidates = await candidatesOf(db, [...new Set([...ids.slice(0, maxCandidates), ...near])]);
  const said = new Set(candidates.map(({ hash }) => hash));
  for (let at = maxCandidates; at < ids.length && said.size < limit; at += maxCandidates) {
    for (const candidate of await candidatesOf(db, ids.slice(at, at + maxCandidates))) {
      if (!said.has(candidate.hash)) candidates.push(candidate);
      said.add(candidate.hash);
    }
  }
  return candidates;
}

type Near = QuestionVector & { similar: Similar };

async function nearTo(
  db: Queryable,
  baseIds: readonly number[],
  { space, vector }: QuestionVector,
): Promise<Near | undefined> {
  const similar = await similarTo(db, space, baseIds, vector);
  return similar && { space, vector, similar };
}

/** What has no vector yet keeps its score by words. */
async function raised(db: Queryable, ranked: readonly Ranked[], { space, vector, similar }: Near): Promise<Ranked[]> {
  const ids = ranked.map(({ id }) => id);
  const cosines = new Map(await cosinesOf(db, space, ids, vector));
  return ranked.map((one) => {
    const cosine = cosines.get(one.id);
    return cosine === undefined ? one : { ...one, score: fused(one.score, meaningOf(cosine, similar)) };
  });
}
