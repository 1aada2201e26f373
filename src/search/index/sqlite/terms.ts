import { sql } from 'kysely';
import { prepared } from '../../../db/prepared.ts';
import type { TermTables } from '../passages.ts';
import { rowidOf } from '../posting-code.ts';
import { scopedTerms } from './scoped-terms.ts';
import { addToVocabulary, addTrigrams } from './vocabulary.ts';

const insertTerms = prepared(
  (_db, p: { rowid: number; once: string; twice: string; thrice: string; often: string }) => sql`
    INSERT INTO retrieval_words (rowid, once, twice, thrice, often)
    VALUES (${p.rowid}, ${p.once}, ${p.twice}, ${p.thrice}, ${p.often})`,
);

export const sqliteTerms: TermTables = {
  addToVocabulary,
  addTrigrams,
  async addTerms(tx, { baseId, id, length }, lists) {
    const [once, twice, thrice, often] = lists.map((list) => scopedTerms(baseId, list)) as [
      string,
      string,
      string,
      string,
    ];
    await insertTerms(tx, { rowid: rowidOf(id, length), once, twice, thrice, often });
  },
};
