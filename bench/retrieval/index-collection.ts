import type { Library } from '../../test/support/library.ts';
import { cpuMs } from '../support/cpu.ts';
import type { CollectionDocument } from './collections.ts';

/** The best documents for a question, the score of the first, and how much processor time it took. */
type Answer = { ids: string[]; score: number; cpuMs: number };

const limit = 10;

/** Adds documents to a knowledge base of their own. Returns a function that asks it. */
export async function indexCollection(
  library: Library,
  documents: readonly CollectionDocument[],
): Promise<(question: string) => Promise<Answer>> {
  const base = await library.createBase();
  const ids = new Map<string, string>();
  for (const { id, title, text } of documents) {
    ids.set(await library.put(base, { title, chunks: [{ text, heading: null, page: null }] }), id);
  }
  await library.runner.settled();
  return async (question) => {
    const before = cpuMs();
    const results = await library.ask(base, question, limit);
    const taken = cpuMs() - before;
    return { ids: results.map(({ documentId }) => ids.get(documentId)!), score: results[0]?.score ?? 0, cpuMs: taken };
  };
}
