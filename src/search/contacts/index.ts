import { dialectOf } from '../../db/dialect.ts';
import type { Queryable } from '../../db/transaction.ts';
import type { ContactIndex } from './contact-index.ts';
import { postgresContactIndex } from './postgres/contact-index.ts';
import { sqliteContactIndex } from './sqlite/contact-index.ts';

const indexes = { sqlite: sqliteContactIndex, postgres: postgresContactIndex };
const of = (db: Queryable): ContactIndex => indexes[dialectOf(db)];

/** The index of contacts in the database that parley runs on. */
export const contactIndex: ContactIndex = {
  candidates: (db, ...args) => of(db).candidates(db, ...args),
  noteCampaignContacts: (tx, ...args) => of(tx).noteCampaignContacts(tx, ...args),
  nextPending: (db, ...args) => of(db).nextPending(db, ...args),
  indexPending: (tx, ...args) => of(tx).indexPending(tx, ...args),
  fill: (tx) => of(tx).fill(tx),
  mergeStep: (tx) => of(tx).mergeStep(tx),
};
