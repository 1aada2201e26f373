import { isoOf } from '../../base/clock.ts';
import { pageReply } from '../../kernel/paging.ts';
import { operation } from '../../kernel/route.ts';
import { id, label, list, object, timestamp, Type } from '../../kernel/schema.ts';
import type { ContactNote } from './contact.ts';
import * as notes from './notes.ts';

const tag = 'Contacts';
const contactPath = object({ id: id('contact') });

const noteSchema = object(
  { id: id('note'), content: Type.String(), created_at: timestamp() },
  { title: 'ContactNote' },
);

const presentNote = (note: ContactNote) => ({
  id: note.id,
  content: note.content,
  created_at: isoOf(note.createdAt),
});

export const listContactNotes = operation({
  operationId: 'listContactNotes',
  tag,
  summary: 'List the notes of a contact, newest first',
  params: contactPath,
  paged: true,
  data: list(noteSchema),
  message: 'Notes fetched.',
  async handle(app, { caller, params, page }) {
    return pageReply(await notes.listNotes(app, caller.orgId, params.id, page), presentNote);
  },
});

export const createContactNote = operation({
  operationId: 'createContactNote',
  tag,
  summary: 'Add a note to a contact',
  params: contactPath,
  body: object({ content: label(10_000) }),
  example: { content: 'Asked to be called on Thursday.' },
  data: noteSchema,
  message: 'Note created.',
  handle: async (app, { caller, params, body }) => ({
    data: presentNote(await notes.addNote(app, caller.orgId, params.id, body.content)),
  }),
});

export const deleteContactNote = operation({
  operationId: 'deleteContactNote',
  tag,
  summary: 'Delete a note of a contact',
  params: object({ id: id('contact'), note_id: id('note') }),
  message: 'Note deleted.',
  async handle(app, { caller, params }) {
    await notes.deleteNote(app, caller.orgId, params.id, params.note_id);
    return {};
  },
});
