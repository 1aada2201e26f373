import Database from 'better-sqlite3';
import type { CollectionDocument } from './collections.ts';

/** What FTS5 finds by itself, for comparison: ids of the ten best documents. */
export type BareFts5 = {
  /** Porter stems alone. */
  byStems(question: string): string[];
  /** Porter stems, and half-weighted trigrams: each share of its best score, added up. */
  byStemsAndTrigrams(question: string): string[];
  close(): void;
};

const limit = 10;
/** The title counts twice, as it does in parley. */
const rank = (table: string): string => `bm25(${table}, 2, 1)`;

export function bareFts5(documents: readonly CollectionDocument[]): BareFts5 {
  const db = new Database(':memory:');
  db.exec(`
    CREATE VIRTUAL TABLE stems USING fts5(title, text, tokenize = 'porter unicode61 remove_diacritics 2');
    CREATE VIRTUAL TABLE trigrams USING fts5(title, text, tokenize = 'trigram remove_diacritics 1')`);
  db.transaction(() => {
    for (const table of ['stems', 'trigrams']) {
      const insert = db.prepare(`INSERT INTO ${table} (rowid, title, text) VALUES (?, ?, ?)`);
      for (const [index, { title, text }] of documents.entries()) insert.run(index, title, text);
    }
  })();
  const best = (table: string, rows: number) =>
    db
      .prepare<[string], [number, number]>(
        `SELECT rowid, -${rank(table)} FROM ${table} WHERE ${table} MATCH ? ORDER BY ${rank(table)} LIMIT ${rows}`,
      )
      .raw();
  const bestStems = best('stems', limit);
  const [allStems, allTrigrams] = [best('stems', -1), best('trigrams', -1)];
  const idsOf = (rowids: readonly number[]): string[] => rowids.map((rowid) => documents[rowid]!.id);
  return {
    byStems: (question) => idsOf(bestStems.all(anyOf(wordsOf(question))).map(([rowid]) => rowid)),
    byStemsAndTrigrams(question) {
      const scores = new Map<number, number>();
      for (const [found, weight] of [
        [allStems.all(anyOf(wordsOf(question))), 1],
        [allTrigrams.all(anyOf(trigramsOf(question))), 0.5],
      ] as const) {
        const highest = found[0]?.[1] ?? 1;
        for (const [rowid, score] of found) scores.set(rowid, (scores.get(rowid) ?? 0) + (weight * score) / highest);
      }
      const ranked = [...scores].toSorted((a, b) => b[1] - a[1]).map(([rowid]) => rowid);
      return idsOf(ranked.slice(0, limit));
    },
    close: () => db.close(),
  };
}

const wordsOf = (text: string): string[] => [...new Set(text.toLowerCase().match(/[\p{L}\p{N}\p{M}]+/gu))];

function trigramsOf(text: string): string[] {
  const characters = Array.from(text.toLowerCase());
  return [...new Set(characters.slice(2).map((_, index) => characters.slice(index, index + 3).join('')))];
}

const anyOf = (terms: readonly string[]): string =>
  terms.length === 0 ? '""' : terms.map((term) => `"${term.replaceAll('"', '""')}"`).join(' OR ');
