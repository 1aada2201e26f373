import { isoOf, isoOrNull } from '../../../base/clock.ts';
import { listOf } from '../../../db/sql.ts';
import type { Queryable } from '../../../db/transaction.ts';
import type { App } from '../../../kernel/app.ts';
import type { Contact } from '../contact.ts';

/** What an export with history has behind the contact's own columns. The lists are JSON, oldest first. */
export const historyColumns = ['call_count', 'last_called_at', 'last_outcome', 'calls', 'campaigns', 'notes'] as const;

/** Of very many calls the newest are enough for a cell: spreadsheets cut it at 32,767 characters anyway. */
const maxCalls = 100;

const callsOf = (db: Queryable, ids: readonly string[]) =>
  db
    .selectFrom('calls')
    .select(['id', 'contact_id', 'direction', 'status', 'started_at', 'created_at', 'duration_sec', 'summary'])
    .where('contact_id', 'in', listOf(ids))
    .where('status', 'is not', null)
    .orderBy('id')
    .execute();

const campaignsOf = (db: Queryable, ids: readonly string[]) =>
  db
    .selectFrom('campaign_contacts as cc')
    .innerJoin('campaigns as c', 'c.id', 'cc.campaign_id')
    .select(['cc.contact_id', 'c.name', 'cc.status', 'cc.attempt_count', 'cc.last_attempted_at'])
    .where('cc.contact_id', 'in', listOf(ids))
    .where('c.removed_at', 'is', null)
    .orderBy('c.id')
    .execute();

const notesOf = (db: Queryable, ids: readonly string[]) =>
  db
    .selectFrom('contact_notes')
    .select(['contact_id', 'content', 'created_at'])
    .where('contact_id', 'in', listOf(ids))
    .orderBy('id')
    .execute();

/** The cells of `historyColumns` for contacts of a page. */
export async function historiesOf(app: App, contacts: readonly Contact[]): Promise<(id: string) => string[]> {
  const ids = contacts.map(({ id }) => id);
  const calls = Map.groupBy(await callsOf(app.db, ids), (row) => row.contact_id);
  const campaigns = Map.groupBy(await campaignsOf(app.db, ids), (row) => row.contact_id);
  const notes = Map.groupBy(await notesOf(app.db, ids), (row) => row.contact_id);
  return (id) => {
    const made = calls.get(id) ?? [];
    const last = made.at(-1);
    const shown = made.slice(-maxCalls).map((call) => ({
      call_id: call.id,
      at: isoOf(call.started_at ?? call.created_at),
      direction: call.direction,
      status: call.status,
      duration_sec: call.duration_sec,
      summary: call.summary,
    }));
    const joined = (campaigns.get(id) ?? []).map(({ name, status, attempt_count, last_attempted_at }) => ({
      name,
      status,
      attempts: attempt_count,
      last_attempted_at: isoOrNull(last_attempted_at),
    }));
    const written = (notes.get(id) ?? []).map((note) => ({ at: isoOf(note.created_at), content: note.content }));
    return [
      String(made.length),
      last ? isoOf(last.started_at ?? last.created_at) : '',
      last?.status ?? '',
      JSON.stringify(shown),
      JSON.stringify(joined),
      JSON.stringify(written),
    ];
  };
}
