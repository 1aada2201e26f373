import { sql } from 'kysely';
import type { Queryable } from '../../db/transaction.ts';
import { listOf } from '../../db/sql.ts';
import type { App } from '../../kernel/app.ts';
import type { Call, TranscriptEntry } from './call.ts';
import { conversationSoFar } from './carriers/placing.ts';

/** What was said in a call until now. A carrier that reports nothing before the end of its calls is asked. */
export async function transcriptNow(app: App, call: Call): Promise<TranscriptEntry[]> {
  if (call.state !== 'in_progress') return call.transcripts;
  return (await conversationSoFar(app, call)).transcripts ?? call.transcripts;
}

/** Who spoke last in a call that is answered. */
export function talkingIn(call: Call, said: readonly TranscriptEntry[]): 'agent' | 'person' | null {
  const last = call.state === 'in_progress' ? said.at(-1) : undefined;
  return last ? (last.role === 'agent' ? 'agent' : 'person') : null;
}

/** Who has answered each of the calls, as far as it was recognized: `person`, `machine` or `unclear`. */
export async function verdictsOf(db: Queryable, callIds: readonly string[]): Promise<Map<string, string>> {
  const { rows } = await sql<{ id: string; detail: string | null }>`
    SELECT call_id AS id, detail FROM call_timeline WHERE call_id IN ${listOf(callIds)} AND type = 'verdict'
    ORDER BY call_id, number`.execute(db);
  return new Map(rows.map(({ id, detail }) => [id, detail?.split(':')[0] ?? 'unclear']));
}
