import type { ContactIndex } from './contact-index.ts';
import { sqliteContactIndex } from './sqlite/contact-index.ts';

/** The index of contacts in the database that parley runs on. An index for another database is chosen here. */
export const contactIndex: ContactIndex = sqliteContactIndex;
