import { type RawBuilder, sql } from 'kysely';
import { dialectOf } from '../../src/db/dialect.ts';
import { installation, type Queryable, transact } from '../../src/db/transaction.ts';
import { columnsOf, hexOf, numbersTo } from './both-stores.ts';

/** The rows that are copied, and the instant at which the youngest copy is made. */
export type Patterns = Readonly<Record<'campaign' | 'contact' | 'call' | 'agent' | 'delivery', string>> & {
  now: number;
};

export type Sizes = { campaigns: number; contacts: number; calls: number };

const n = sql`n`;
const dayMs = 86_400_000;
const [agents, kinds] = [
  40,
  { agent: 1, campaign: 3, contact: 4, member: 5, call: 6, event: 8, delivery: 9, other: 10 },
];

/** An id of a kind that sorts by its instant. */
const idAt = (kind: number, at: RawBuilder<unknown>, number: RawBuilder<unknown> = n): RawBuilder<string> =>
  sql`${hexOf(sql`((${at}) >> 16)`, 8)} || '-' || ${hexOf(sql`((${at}) & 65535)`, 4)} || ${sql.lit(`-7${kind.toString(16).padStart(3, '0')}-8000-`)} || ${hexOf(number, 12)}`;

/** Columns of a copy that are not those of its pattern. */
type Own = Readonly<Record<string, RawBuilder<unknown>>>;

/** Copies a row `rows` times. */
async function copies(db: Queryable, table: string, id: string, rows: number, own: Own): Promise<void> {
  const same = await columnsOf(db, table, Object.keys(own));
  const names = sql.join(Object.keys(own).map((name) => sql.ref(name)));
  await sql`INSERT INTO ${sql.table(table)} (${names}, ${same}) ${numbersTo(rows)} SELECT ${sql.join(Object.values(own))}, ${same}
    FROM numbers, ${sql.table(table)} WHERE id = ${id}`.execute(db);
}

/**
 * Makes a small organization a large one: copies its things until it has this many, with their texts as they are, its calls of the 90 days
 * before `now`. Writes rows directly, because a million requests would take hours; counters follow, as when the program writes.
 */
export async function crowd(database: Queryable, patterns: Patterns, sizes: Sizes): Promise<void> {
  const run = (write: (db: Queryable) => Promise<void>): Promise<void> => transact(database, installation, write);
  await run((db) => copyThings(db, patterns, sizes));
  const atOnce = 100_000;
  for (let from = 0; from < sizes.calls; from += atOnce) {
    await run((db) => copyCalls(db, patterns, sizes, from, Math.min(atOnce, sizes.calls - from)));
    // A log of gigabytes would make every read slow until the background thread has copied it.
    if (dialectOf(database) === 'sqlite') await sql`PRAGMA wal_checkpoint(TRUNCATE)`.execute(database);
  }
}

const agentId = idAt(kinds.agent, sql`0`, sql`n % ${sql.lit(agents)}`);
const contactId = idAt(kinds.contact, sql`0`);

async function copyThings(db: Queryable, patterns: Patterns, sizes: Sizes): Promise<void> {
  const { campaign, contact, agent, delivery, now } = patterns;
  await copies(db, 'agents', agent, agents, { id: idAt(kinds.agent, sql`0`) });
  await sql`INSERT INTO agent_editions (agent_id, edition, at, made_by, fields, settings)
    ${numbersTo(agents)} SELECT ${idAt(kinds.agent, sql`0`)}, edition, at, made_by, fields, settings FROM numbers, agent_editions
    WHERE agent_id = ${agent}`.execute(db);
  await copies(db, 'contacts', contact, sizes.contacts, {
    id: contactId,
    phone: sql`'+4931' || (10000000 + n)`,
    note_count: sql`0`,
  });
  await copyCampaigns(db, patterns, sizes);
  await sql`INSERT INTO campaign_contacts (id, campaign_id, contact_id, position, name, phone, timezone, tags, status, attempt_count)
    ${numbersTo(sizes.contacts)} SELECT ${idAt(kinds.member, sql`0`)}, c.id, ${contactId}, c.next_position + n,
      (SELECT name FROM campaign_contacts WHERE campaign_id = c.id LIMIT 1), '+4931' || (10000000 + n), '', '["cold"]', 'pending', 0
    FROM numbers, campaigns c WHERE c.id = ${campaign}`.execute(db);
  await sql`UPDATE campaigns SET next_position = next_position + ${sizes.contacts}, total = total + ${sizes.contacts},
    pending = pending + ${sizes.contacts} WHERE id = ${campaign}`.execute(db);
  await sql`UPDATE campaign_zones SET pending = pending + ${sizes.contacts} WHERE campaign_id = ${campaign} AND timezone = ''`.execute(
    db,
  );
  const rest = Math.ceil(sizes.contacts / 10);
  const { rows } = await sql<{
    event_id: string;
  }>`SELECT event_id FROM webhook_deliveries WHERE id = ${delivery}`.execute(db);
  const at = sql`(${sql.lit(now)} - (${sql.lit(rest)} - n) * 60000)`;
  await copies(db, 'webhook_events', rows[0]!.event_id, rest, {
    number: sql`1000000 + n`,
    id: idAt(kinds.event, at),
    created_at: at,
  });
  const status = sql`CASE n % 3 WHEN 0 THEN 'exhausted' ELSE 'delivered' END`;
  await copies(db, 'webhook_deliveries', delivery, rest, {
    ...{
      id: idAt(kinds.delivery, at),
      event_id: idAt(kinds.event, at),
      status,
      next_attempt_at: sql`NULL`,
      created_at: at,
    },
    ...{ delivered_at: sql`CASE WHEN n % 3 <> 0 THEN ${at} END`, settled_at: at },
  });
  await sql`INSERT INTO do_not_call (organization_id, phone, reason, added_by, created_at) ${numbersTo(sizes.contacts)}
    SELECT organization_id, '+4940' || (10000000 + n), reason, added_by, created_at FROM numbers, (SELECT * FROM do_not_call LIMIT 1)
    AS one`.execute(db);
  const entry = await sql<{ id: string }>`SELECT id FROM audit_log WHERE target_kind = 'agent' LIMIT 1`.execute(db);
  await copies(db, 'audit_log', entry.rows[0]!.id, rest, { id: idAt(kinds.other, at), at });
}

/** A tenth of them is running, but nobody waits in it; the others are over, at rest or drafts. */
async function copyCampaigns(
  db: Queryable,
  { campaign, now }: Patterns,
  { campaigns, contacts }: Sizes,
): Promise<void> {
  const total = Math.ceil(contacts / campaigns);
  const isDraft = sql`n % 10 = 3`;
  const status = sql`CASE n % 10 WHEN 1 THEN 'active' WHEN 2 THEN 'paused' WHEN 3 THEN 'draft' ELSE 'completed' END`;
  const running = sql`CASE n % 10 WHEN 1 THEN 'running' WHEN 2 THEN 'paused' WHEN 3 THEN 'draft' ELSE 'completed' END`;
  const id = idAt(kinds.campaign, sql`0`);
  await copies(db, 'campaigns', campaign, campaigns, {
    ...{ id, agent_id: agentId, status, execution_status: running, next_position: sql.lit(total) },
    ...{
      total: sql.lit(total),
      contacted: sql`0`,
      successful: sql`0`,
      failed: sql`0`,
      pending: sql`0`,
      in_progress: sql`0`,
    },
    ...{ no_answer: sql.lit(total), busy: sql`0`, voicemail: sql`0`, cancelled: sql`0`, expired: sql`0` },
    started_at: sql`CASE WHEN NOT ${isDraft} THEN ${sql.lit(now - 90 * dayMs)} END`,
    completed_at: sql`CASE WHEN n % 10 NOT IN (1, 2, 3) THEN ${sql.lit(now - dayMs)} END`,
  });
  await sql`INSERT INTO campaign_contacts (id, campaign_id, contact_id, position, name, phone, timezone, tags, status, attempt_count)
    ${numbersTo(campaigns * total)} SELECT ${idAt(kinds.member, sql`1 << 16`)}, ${idAt(kinds.campaign, sql`0`, sql`n / ${sql.lit(total)}`)},
      ${idAt(kinds.contact, sql`0`, sql`n % ${sql.lit(contacts)}`)}, n % ${sql.lit(total)}, NULL, '+4931' || (10000000 + n), '', '[]',
      'pending', 1 FROM numbers`.execute(db);
  await sql`UPDATE campaign_contacts SET status = 'no_answer' WHERE campaign_id IN (SELECT id FROM campaigns WHERE next_position = ${total})
    AND campaign_id <> ${campaign}`.execute(db);
}

/** Their transcripts are left out: a gigabyte that no list reads. */
async function copyCalls(db: Queryable, patterns: Patterns, sizes: Sizes, from: number, rows: number): Promise<void> {
  const stepMs = (90 * dayMs) / sizes.calls;
  const number = sql`(n + ${sql.lit(from)})`;
  const at = sql`CAST(${sql.lit(patterns.now - 90 * dayMs)} + ${number} * ${sql.lit(stepMs)} AS INTEGER)`;
  const outcome = sql`CASE ${number} % 10 WHEN 0 THEN 'busy' WHEN 1 THEN 'voicemail' WHEN 2 THEN 'failed' WHEN 3 THEN 'no_answer'
    WHEN 4 THEN 'no_answer' ELSE 'completed' END`;
  const isAnswered = sql`${number} % 10 > 4`;
  const goals = sql`CASE WHEN ${number} % 3 = 0 THEN 'true' ELSE 'false' END`;
  await copies(db, 'calls', patterns.call, rows, {
    ...{ id: idAt(kinds.call, at, number), agent_id: agentId, status: outcome, attempt: sql`1` },
    campaign_id: idAt(kinds.campaign, sql`0`, sql`${number} % ${sql.lit(sizes.campaigns)}`),
    contact_id: idAt(kinds.contact, sql`0`, sql`${number} % ${sql.lit(sizes.contacts)}`),
    campaign_contact_id: sql`NULL`,
    to_phone: sql`'+4931' || (10000000 + ${number} % ${sql.lit(sizes.contacts)})`,
    ...{ created_at: at, slot_at: at, handed_over_at: at, started_at: at },
    answered_at: sql`CASE WHEN ${isAnswered} THEN ${at} + 5000 END`,
    ended_at: sql`${at} + 60000`,
    duration_sec: sql`CASE WHEN ${isAnswered} THEN 55 ELSE 0 END`,
    call_latency_ms: sql`CASE WHEN ${isAnswered} THEN 300 + ${number} % 2000 END`,
    analysis: sql`CASE WHEN ${isAnswered} THEN '{"sentiment":"neutral","next_steps":"","disposition":"not_interested","goals_met":' || ${goals} || '}' END`,
    summary: sql`substr(summary, 1, 200)`,
    ...{ transcripts: sql`'[]'`, metadata: sql`'{}'` },
  });
}
