import { sql } from 'kysely';
import { prepared } from '../../db/prepared.ts';
import type { Tx } from '../../db/transaction.ts';
import { portions } from '../portions.ts';
import { passagesOf, termsWithTitle, titleTerms } from './passage.ts';
import type { TermTables } from './passages.ts';

const atOnce = 200;

type Row = { id: number; baseId: number; title: string; heading: string | null; length: number; text: string };

const selectPassages = prepared(
  (_db, p: { after: number; limit: number }) => sql<Row>`
    SELECT id, base_id AS "baseId", title, heading, length, text FROM retrieval_passages
    WHERE id > ${p.after} ORDER BY id LIMIT ${p.limit}`,
);
const selectWords = prepared(
  (_db, p: { after: number; limit: number }) => sql<{ id: number; baseId: number; word: string }>`
    SELECT id, base_id AS "baseId", word FROM retrieval_vocabulary WHERE id > ${p.after} ORDER BY id LIMIT ${p.limit}`,
);

/** Fills an empty index from the rows that it belongs to, for a database that was copied without it. */
export async function fillIndex(tx: Tx, tables: Pick<TermTables, 'addTrigrams' | 'addTerms'>): Promise<void> {
  for await (const passages of portions((after) => selectPassages(tx, { after, limit: atOnce })))
    for (const { id, baseId, title, heading, length, text } of passages) {
      const [passage] = passagesOf([{ text, heading, page: null }]);
      await tables.addTerms(tx, { baseId, id, length }, termsWithTitle(passage!.terms, titleTerms(title)));
    }
  for await (const words of portions((after) => selectWords(tx, { after, limit: atOnce })))
    for (const [baseId, ofBase] of Map.groupBy(words, (word) => word.baseId))
      await tables.addTrigrams(tx, baseId, ofBase);
}
