import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { chunkBlocks } from '../../src/extraction/chunking/chunker.ts';
import type { Collection, CollectionDocument, CollectionQuestion } from './collections.ts';
import { blocksOf } from './parse-document.ts';

type MakersQuestion = {
  /** The question itself. */
  ask: string;
  /** The document with the answer, and words that only the passage with the answer contains. Both are missing if there is no answer. */
  in?: string;
  says?: string;
};

/**
 * Questions in ten languages that were written for parley, to documents such as businesses have; search was once tuned on one of the
 * sets. Each passage is a document of the collection.
 */
export function makersQuestions(sets: readonly string[] = ['makers-1', 'makers-2']): Collection {
  const documents: CollectionDocument[] = [];
  const questions: CollectionQuestion[] = [];
  for (const [article, set] of sets.entries()) {
    const folder = join(import.meta.dirname, '..', 'data', set);
    const passages = readdirSync(join(folder, 'documents')).flatMap((file) => passagesOf(folder, file));
    for (const { id, title, text } of passages) documents.push({ id: `${set} ${id}`, article, title, text });
    const byKind = parse(readFileSync(join(folder, 'questions.yaml'), 'utf8')) as Record<string, MakersQuestion[]>;
    for (const { ask, in: file, says } of Object.values(byKind).flat()) {
      const relevant = passages.filter(
        (passage) => says !== undefined && passage.file === file && passage.text.includes(says),
      );
      questions.push({ text: ask, article, grades: new Map(relevant.map(({ id }) => [`${set} ${id}`, 1])) });
    }
  }
  return { name: "makers' questions", documents, questions };
}

function passagesOf(folder: string, file: string) {
  const blocks = blocksOf(file, readFileSync(join(folder, 'documents', file), 'utf8'));
  const [first] = blocks;
  const name = first?.kind === 'heading' ? first.text : file.replace(/\.\w+$/, '');
  return chunkBlocks(blocks).map(({ heading, text }, index) => ({
    file,
    id: `${file} ${index}`,
    title: [name, heading ?? ''].join(' ').trim(),
    text,
  }));
}
