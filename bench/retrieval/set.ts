import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { type Library, openLibrary } from '../../test/support/library.ts';
import type { TestAppOptions } from '../../test/support/app.ts';
import { chunkBlocks } from '../../src/extraction/chunking/chunker.ts';
import type { Chunk } from '../../src/extraction/model.ts';
import { type Answered, isRelevant, type Question } from './measures.ts';
import { blocksOf } from './read.ts';

const folder = import.meta.dirname;

/** Folders, each with questions and the documents they are asked of: settings are chosen on `tuning`, and judged by `held-out`. */
export const parts = ['tuning', 'held-out'] as const;
export type Part = (typeof parts)[number];

const keys = ['kind', 'ask', 'in', 'says'];

export function questionsOf(part: Part): Question[] {
  const byKind = parse(readFileSync(join(folder, part, 'questions.yaml'), 'utf8')) as Record<
    string,
    Array<Omit<Question, 'kind'>>
  >;
  const questions = Object.entries(byKind).flatMap(([kind, some]) => some.map((question) => ({ ...question, kind })));
  // A comma that is not in quotes ends a text in YAML, and makes the rest of it a key.
  const broken = questions.find((question) => Object.keys(question).some((key) => !keys.includes(key)));
  if (broken)
    throw new Error(`${part}/questions.yaml: "${broken.ask}" has more than ${keys.join(', ')}; quote its commas`);
  return questions;
}

/** A document of a part, by the name of its file, as it was put. */
export type Volume = { id: string; name: string; title: string; chunks: readonly Chunk[] };

/** All documents of a part in one knowledge base. */
export type Shelf = {
  library: Library;
  base: string;
  volumes: readonly Volume[];
  answer(question: Question): Promise<Answered>;
};

export async function openShelf(part: Part, options: TestAppOptions = {}): Promise<Shelf> {
  const library = await openLibrary(options);
  const base = await library.aBase();
  const volumes: Volume[] = [];
  const documents = join(folder, part, 'documents');
  for (const name of readdirSync(documents).toSorted()) {
    const text = readFileSync(join(documents, name), 'utf8');
    const blocks = blocksOf(name, text);
    const [first] = blocks;
    const title = first?.kind === 'heading' ? first.text : name.replace(/\.\w+$/, '');
    const chunks = chunkBlocks(blocks);
    volumes.push({ id: await library.put(base, { title, chunks }), name, title, chunks });
  }
  const names = new Map(volumes.map(({ id, name }) => [id, name]));
  const passages = volumes.flatMap(({ name, chunks }) => chunks.map(({ text }) => ({ document: name, text })));
  return {
    library,
    base,
    volumes,
    async answer(question) {
      const found = await library.ask(base, question.ask, 10);
      const relevant = passages.filter((passage) => isRelevant(question, passage)).length;
      const hits = found.map(({ documentId, text }) =>
        isRelevant(question, { document: names.get(documentId)!, text }),
      );
      return { question, hits, relevant, score: found[0]?.score ?? 0 };
    },
  };
}
