import { isoOf } from '../../base/clock.ts';
import { route } from '../../kernel/route.ts';
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

export const noteRoutes = [
  route({
    operationId: 'listContactNotes',
    method: 'GET',
    path: '/api/v1/contacts/{id}/notes',
    tag,
    summary: 'List the notes of a contact, newest first',
    access: 'any',
    role: 'viewer',
    params: contactPath,
    paged: true,
    data: list(noteSchema),
    message: 'Notes fetched.',
    async handle(app, { caller, params, page }) {
      const { items, total } = await notes.listNotes(app, caller.orgId, params.id, page);
      return { data: items.map(presentNote), total };
    },
  }),
  route({
    operationId: 'createContactNote',
    method: 'POST',
    path: '/api/v1/contacts/{id}/notes',
    tag,
    summary: 'Add a note to a contact',
    access: 'any',
    role: 'member',
    params: contactPath,
    body: object({ content: label(10_000) }),
    example: { content: 'Asked to be called on Thursday.' },
    data: noteSchema,
    message: 'Note created.',
    handle: async (app, { caller, params, body }) => ({
      data: presentNote(await notes.addNote(app, caller.orgId, params.id, body.content)),
    }),
  }),
  route({
    operationId: 'deleteContactNote',
    method: 'DELETE',
    path: '/api/v1/contacts/{id}/notes/{note_id}',
    tag,
    summary: 'Delete a note of a contact',
    access: 'any',
    role: 'member',
    params: object({ id: id('contact'), note_id: id('note') }),
    message: 'Note deleted.',
    async handle(app, { caller, params }) {
      await notes.deleteNote(app, caller.orgId, params.id, params.note_id);
      return {};
    },
  }),
];
