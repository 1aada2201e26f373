import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { type Library, openLibrary } from '../../test/support/library.ts';
import type { TestAppOptions } from '../../test/support/app.ts';
import { chunkBlocks } from '../../src/extraction/chunking/chunker.ts';
import { type Answer, isRelevant, type Question } from './measures.ts';
import { blocksOf } from './parse-document.ts';

const folder = import.meta.dirname;

/** The folders with questions and their documents. Parameters are tuned on one and judged on the other. */
export const setNames = ['tuning', 'held-out'] as const;
export type SetName = (typeof setNames)[number];

const allowedKeys = ['kind', 'ask', 'in', 'says'];

export function questionsOf(set: SetName): Question[] {
  const byKind = parse(readFileSync(join(folder, set, 'questions.yaml'), 'utf8')) as Record<
    string,
    Array<Omit<Question, 'kind'>>
  >;
  const questions = Object.entries(byKind).flatMap(([kind, group]) => group.map((question) => ({ ...question, kind })));
  // In YAML an unquoted comma ends a text and makes the rest of it a key.
  const broken = questions.find((question) => Object.keys(question).some((key) => !allowedKeys.includes(key)));
  if (broken)
    throw new Error(
      `${set}/questions.yaml: "${broken.ask}" has more than ${allowedKeys.join(', ')}; quote texts with commas`,
    );
  return questions;
}

/** All documents of a set in one knowledge base. */
export type IndexedSet = {
  library: Library;
  answer(question: Question): Promise<Answer>;
};

export async function indexSet(set: SetName, options: TestAppOptions = {}): Promise<IndexedSet> {
  const library = await openLibrary(options);
  const base = await library.createBase();
  const fileNames = new Map<string, string>();
  const passages: Array<{ document: string; text: string }> = [];
  const documents = join(folder, set, 'documents');
  for (const name of readdirSync(documents).toSorted()) {
    const blocks = blocksOf(name, readFileSync(join(documents, name), 'utf8'));
    const [first] = blocks;
    const title = first?.kind === 'heading' ? first.text : name.replace(/\.\w+$/, '');
    const chunks = chunkBlocks(blocks);
    fileNames.set(await library.put(base, { title, chunks }), name);
    for (const { text } of chunks) passages.push({ document: name, text });
  }
  return {
    library,
    async answer(question) {
      const results = await library.ask(base, question.ask, 10);
      const relevant = passages.filter((passage) => isRelevant(question, passage)).length;
      const hits = results.map(({ documentId, text }) =>
        isRelevant(question, { document: fileNames.get(documentId)!, text }),
      );
      return { question, hits, relevant, score: results[0]?.score ?? 0 };
    },
  };
}
