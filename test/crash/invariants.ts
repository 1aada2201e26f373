import assert from 'node:assert/strict';
import { cpSync, existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { recounts } from '../../src/db/sqlite/counters.generated.ts';
import type { Written } from './writer.ts';

/** Rules that the data must follow at any instant, so also when the process dies. Each query finds the rows that break its rule. */
const rules: Readonly<Record<string, string>> = {
  'no request took effect twice': `
    SELECT email, count(*) AS made FROM contacts WHERE email IS NOT NULL GROUP BY 1 HAVING made > 1
    UNION ALL SELECT content, count(*) AS made FROM contact_notes GROUP BY 1 HAVING made > 1
    UNION ALL SELECT to_phone, count(*) AS made FROM calls WHERE campaign_id IS NULL GROUP BY 1 HAVING made > 1`,
  'an organization counts its calls': `
    SELECT id, in_flight, (SELECT count(*) FROM calls WHERE organization_id = o.id AND state != 'ended') AS live
    FROM organizations o WHERE in_flight != live`,
  'a number counts its calls': `
    SELECT id, in_flight, (SELECT count(*) FROM calls WHERE phone_number_id = n.id AND state != 'ended') AS live
    FROM phone_numbers n WHERE in_flight != live`,
  'an agent counts its calls by outcome': `
    SELECT a.id FROM agents a JOIN (
      SELECT agent_id, count(*) AS total, sum(status = 'completed') AS completed, sum(status = 'failed') AS failed,
        sum(status = 'no_answer') AS no_answer, sum(status = 'busy') AS busy, sum(status = 'voicemail') AS voicemail
      FROM calls WHERE state = 'ended' GROUP BY agent_id
    ) c ON c.agent_id = a.id
    WHERE (a.total_calls, a.completed_calls, a.failed_calls, a.no_answer_calls, a.busy_calls, a.voicemail_calls)
      IS NOT (c.total, c.completed, c.failed, c.no_answer, c.busy, c.voicemail)`,
  'a campaign counts its contacts': `
    SELECT p.id FROM campaigns p JOIN (
      SELECT campaign_id, count(*) AS total, sum(status = 'completed') AS contacted,
        sum(status IN ('failed', 'cancelled', 'expired')) AS failed,
        sum(status IN ('no_answer', 'busy', 'voicemail')) AS no_answer, sum(status = 'pending') AS pending,
        sum(status = 'in_progress') AS in_progress
      FROM campaign_contacts GROUP BY campaign_id
    ) c ON c.campaign_id = p.id
    WHERE p.removed_at IS NULL AND (p.total, p.contacted, p.failed, p.no_answer, p.pending, p.in_progress)
      IS NOT (c.total, c.contacted, c.failed, c.no_answer, c.pending, c.in_progress)`,
  'a campaign counts its pending contacts by time zone': `
    SELECT campaign_id, timezone, sum(n) FROM (
      SELECT campaign_id, timezone, pending AS n FROM campaign_zones
      UNION ALL SELECT campaign_id, timezone, -1 FROM campaign_contacts WHERE status = 'pending'
    ) WHERE campaign_id IN (SELECT id FROM campaigns WHERE removed_at IS NULL)
    GROUP BY campaign_id, timezone HAVING sum(n) != 0`,
  'a contact in progress has a live call, and a live call a contact in progress': `
    SELECT m.id, c.id FROM campaign_contacts m FULL JOIN
      (SELECT * FROM calls WHERE campaign_contact_id IS NOT NULL AND state != 'ended') c ON c.id = m.call_session_id
    WHERE (m.status = 'in_progress') IS NOT (c.id IS NOT NULL) AND (c.id IS NOT NULL OR m.status = 'in_progress')`,
  'a campaign contact has as many calls as attempts': `
    SELECT m.id, m.attempt_count, count(c.id) AS made, max(c.attempt) AS last
    FROM campaign_contacts m LEFT JOIN calls c ON c.campaign_contact_id = m.id
    GROUP BY m.id HAVING m.attempt_count != made OR made != coalesce(last, 0)`,
  'an ended call has one event, a live one none': `
    WITH told AS MATERIALIZED (
      SELECT id AS call_id, count(*) AS events FROM webhook_events GROUP BY 1
    )
    SELECT c.id, c.state, events FROM calls c LEFT JOIN told ON told.call_id = c.id
    WHERE coalesce(events, 0) != (c.state = 'ended')`,
  'an event has a delivery to each URL': `
    SELECT e.id, count(d.id) FROM webhook_events e LEFT JOIN webhook_deliveries d ON d.event_id = e.id
    GROUP BY e.id HAVING count(DISTINCT d.endpoint_id) != 2 OR count(d.id) != 2`,
  'a delivery that is due has a job': `
    SELECT id, status FROM webhook_deliveries WHERE status IN ('pending', 'retrying')
      AND id NOT IN (SELECT key FROM outbox WHERE kind = 'webhook.deliver')
      AND endpoint_id NOT IN (SELECT id FROM webhook_endpoints WHERE sweep IS NOT NULL)`,
  'a delivery has as many attempts as it counts': `
    SELECT d.id, d.attempt_count, count(a.number) FROM webhook_deliveries d
    LEFT JOIN webhook_attempts a ON a.delivery_id = d.id GROUP BY d.id HAVING d.attempt_count != count(a.number)`,
  'an endpoint counts its deliveries by hour': `
    SELECT d.endpoint_id, d.hour, d.delivered, h.delivered AS kept FROM (
      SELECT endpoint_id, delivered_at - delivered_at % 3600000 AS hour, count(*) AS delivered
      FROM webhook_deliveries WHERE delivered_at IS NOT NULL GROUP BY 1, 2
    ) d LEFT JOIN deliveries_by_hour h USING (endpoint_id, hour) WHERE h.delivered IS NOT d.delivered`,
  'a queued call has the job that starts it': `
    SELECT id FROM calls WHERE state = 'queued' AND id NOT IN (SELECT key FROM outbox WHERE kind = 'call.start')`,
  'a call in progress has a lease, so that it ends even if nobody reports its end': `
    SELECT id, state FROM calls WHERE state IN ('dialing', 'ringing', 'in_progress')
      AND organization_id NOT IN (SELECT key FROM outbox WHERE kind = 'calls.leases')`,
  'a knowledge base counts its documents': `
    SELECT b.id, b.document_count, count(d.id) FROM knowledge_bases b
    LEFT JOIN knowledge_documents d ON d.knowledge_base_id = b.id AND d.removed_at IS NULL
    GROUP BY b.id HAVING b.document_count != count(d.id)`,
  'an unread document has an ingestion job, a crawl, or a page being fetched': `
    SELECT id, status FROM knowledge_documents WHERE status IN ('pending', 'processing')
      AND id NOT IN (SELECT key FROM outbox WHERE kind = 'knowledge.ingest')
      AND id NOT IN (SELECT document_id FROM knowledge_crawls WHERE document_id IS NOT NULL)
      AND id NOT IN (SELECT document_id FROM knowledge_pages WHERE state = 'asking' AND document_id IS NOT NULL)`,
  'a page being fetched has a job': `
    SELECT id, url FROM knowledge_pages WHERE state = 'asking'
      AND id NOT IN (SELECT key FROM outbox WHERE kind = 'knowledge.crawl')`,
  'an unfinished crawl is fetching a page': `
    SELECT source_id FROM knowledge_crawls WHERE finished_at IS NULL
      AND source_id NOT IN (SELECT source_id FROM knowledge_pages WHERE state = 'asking')`,
  'a complete document has passages, each of them once': `
    SELECT d.id, p.text, count(p.id) AS passages FROM knowledge_documents d
    LEFT JOIN retrieval_passages p ON p.document_id = d.id WHERE d.status = 'complete'
    GROUP BY d.id, p.text HAVING passages != 1`,
  'a running campaign with pending contacts has a tick job, or waits for capacity': `
    SELECT id FROM campaigns WHERE execution_status = 'running' AND pending > 0 AND waiting_for IS NULL
      AND id NOT IN (SELECT key FROM outbox WHERE kind = 'campaign.tick')`,
};

/** Rules for the simulated carrier, which keeps its state in the queue. */
const simulatedRules: Readonly<Record<string, string>> = {
  'a call in progress has the job of its next step': `
    SELECT id, state FROM calls WHERE state IN ('dialing', 'ringing', 'in_progress')
      AND id NOT IN (SELECT key FROM outbox WHERE kind IN ('call.dial', 'simulated.step'))`,
};

/** Jobs that stay in the queue when all work is done, because they enqueue themselves again. */
export const isRecurring = (kind: string): boolean => /\.(prune|sweep)$|^calls\.leases$/.test(kind);

export type Inspection = { simulated: boolean; written: readonly Written[]; done?: boolean };

/** Checks the data that a dead server left behind. Works on a copy, so that the next process finds the data untouched. */
export function inspect(data: string, { simulated, written, done = false }: Inspection): void {
  for (const file of readdirSync(data))
    assert.equal(statSync(join(data, file)).mode & 0o077, 0, `other users can read ${file}`);
  const directory = mkdtempSync(join(tmpdir(), 'parley-crash-copy-'));
  const file = join(directory, 'parley.db');
  try {
    cpSync(join(data, 'parley.db'), file);
    if (existsSync(join(data, 'parley.db-wal'))) cpSync(join(data, 'parley.db-wal'), `${file}-wal`);
    inspectFile(file, { simulated, written, done });
  } finally {
    rmSync(directory, { recursive: true });
  }
}

/** Checks a database that nobody serves. */
export function inspectFile(file: string, { simulated, written, done = false }: Inspection): void {
  const database = new Sqlite(file);
  try {
    assert.deepEqual(database.pragma('integrity_check'), [{ integrity_check: 'ok' }]);
    assert.deepEqual(database.pragma('foreign_key_check'), []);
    for (const [rule, query] of Object.entries({ ...rules, ...(simulated ? simulatedRules : {}) })) {
      assert.deepEqual(database.prepare(query).all(), [], rule);
    }
    for (const { what, query } of recounts)
      assert.equal(database.prepare(query).get(), undefined, `the kept number of ${what}`);
    const rows = (query: string): Row[] => database.prepare(query).raw().all() as Row[];
    for (const one of written) checkWritten(rows, one);
    if (done) {
      const left = database.prepare('SELECT kind, key FROM outbox').all() as Array<{ kind: string }>;
      assert.deepEqual(
        left.filter(({ kind }) => !isRecurring(kind)),
        [],
        'no work is left in the queue',
      );
    }
  } finally {
    database.close();
  }
}

type Row = ReadonlyArray<string | null>;

/** Checks that what was acknowledged is there. `rows` reads it from whichever database. */
export function checkWritten(
  rows: (query: string) => readonly Row[],
  { contacts, notes, campaignContacts, calls }: Written,
): void {
  const column = (query: string): Set<unknown> => new Set(rows(query).map(([value]) => value));
  const companies = new Map(rows('SELECT id, company FROM contacts') as ReadonlyArray<[string, string | null]>);
  for (const [id, states] of contacts) {
    const state = companies.get(id) ?? null;
    assert.ok(states.has(state), `contact ${id} is ${state}, not ${[...states].join(' or ')}`);
  }
  assert.deepEqual([...notes.difference(column('SELECT id FROM contact_notes'))], [], 'notes are lost');
  assert.deepEqual(
    [...campaignContacts.difference(column('SELECT phone FROM campaign_contacts'))],
    [],
    'contacts are lost',
  );
  assert.deepEqual([...calls.difference(column('SELECT id FROM calls'))], [], 'calls are lost');
}
