import { type Selectable, sql } from 'kysely';
import { readFiltered } from '../../db/pages.ts';
import { prepared, sent, updateById } from '../../db/prepared.ts';
import type { PhoneNumbersTable } from '../../db/schema.generated.ts';
import type { Queryable, Tx } from '../../db/transaction.ts';
import { containsFolded, listOf } from '../../db/sql.ts';
import { type Page, type Paged, pagedOf } from '../../kernel/paging.ts';
import type { Trunk } from './events.ts';
import type { PhoneNumber } from './number.ts';
import { paceAtUnder } from './pace.ts';

type NumberRow = Selectable<PhoneNumbersTable>;

/** A literal rather than a bound value: SQLite uses the partial index on active numbers only if the condition is in the SQL text. */
const active = sql.lit('active' as const);

const numberOf = (row: NumberRow): PhoneNumber => ({
  id: row.id,
  orgId: row.organization_id,
  phone: row.phone,
  name: row.name,
  type: row.type,
  terminationUri: row.termination_uri,
  sipUsername: row.sip_username,
  encryptedSipPassword: row.sip_password_sealed,
  transport: row.transport,
  carrier: row.carrier,
  dialFormat: row.dial_format as PhoneNumber['dialFormat'],
  register: row.register === 1,
  sipFrom: row.sip_from,
  inboundAgentId: row.inbound_agent_id,
  status: row.status,
  maxConcurrent: row.max_concurrent,
  maxCps: row.max_cps,
  inFlight: row.in_flight,
  paceAt: row.pace_at,
  version: row.version,
  createdAt: row.created_at,
  releasedAt: row.released_at,
});

/** The columns that a change of the number sets. */
const settingsOf = (number: PhoneNumber) => ({
  name: number.name,
  termination_uri: number.terminationUri,
  sip_username: number.sipUsername,
  sip_password_sealed: number.encryptedSipPassword,
  transport: number.transport,
  carrier: number.carrier,
  dial_format: number.dialFormat,
  register: number.register ? (1 as const) : (0 as const),
  sip_from: number.sipFrom,
  inbound_agent_id: number.inboundAgentId,
  max_concurrent: number.maxConcurrent,
  max_cps: number.maxCps,
});

export async function insertNumber(tx: Tx, number: PhoneNumber): Promise<void> {
  const row: NumberRow = {
    ...settingsOf(number),
    id: number.id,
    organization_id: number.orgId,
    phone: number.phone,
    type: number.type,
    status: number.status,
    in_flight: number.inFlight,
    pace_at: number.paceAt,
    version: number.version,
    created_at: number.createdAt,
    released_at: number.releasedAt,
  };
  await tx.insertInto('phone_numbers').values(row).execute();
}

export async function updateSettings(tx: Tx, number: PhoneNumber): Promise<void> {
  await tx
    .updateTable('phone_numbers')
    .set({ ...settingsOf(number), pace_at: paceAtUnder(number.maxCps) })
    .where('id', '=', number.id)
    .execute();
}

/** Clears the agent that answers in up to `limit` numbers, and returns in how many. */
export async function forgetInboundAgent(tx: Tx, agentId: string, limit: number): Promise<number> {
  const result = await sql`
    UPDATE phone_numbers SET inbound_agent_id = NULL, version = version + 1
    WHERE id IN (SELECT id FROM phone_numbers WHERE inbound_agent_id = ${agentId} LIMIT ${limit})`.execute(tx);
  return Number(result.numAffectedRows ?? 0n);
}

/** Marks a number released and erases its SIP password. Keeps the row, because past calls refer to it. */
export async function markReleased(tx: Tx, id: string, at: number): Promise<void> {
  await tx
    .updateTable('phone_numbers')
    .set({ status: 'released', released_at: at, sip_password_sealed: null })
    .where('id', '=', id)
    .execute();
}

const byId = prepared((db, p: { orgId: string; id: string }) =>
  db.selectFrom('phone_numbers').selectAll().where('organization_id', '=', p.orgId).where('id', '=', p.id),
);

export async function numberById(db: Queryable, orgId: string, id: string): Promise<PhoneNumber | undefined> {
  const [row] = (await byId(db, { orgId, id })).rows;
  return row && numberOf(row);
}

export async function activeByPhone(db: Queryable, orgId: string, phone: string): Promise<PhoneNumber | undefined> {
  const row = await db
    .selectFrom('phone_numbers')
    .selectAll()
    .where('phone', '=', phone)
    .where('status', '=', active)
    .where('organization_id', '=', orgId)
    .executeTakeFirst();
  return row && numberOf(row);
}

const withPhone = prepared((db, p: { phone: string }) =>
  db.selectFrom('phone_numbers').selectAll().where('phone', '=', p.phone).where('status', '=', active),
);

/** At most one number with a phone is active, in all organizations. */
export async function activeWithPhone(db: Queryable, phone: string): Promise<PhoneNumber | undefined> {
  const [row] = (await withPhone(db, { phone })).rows;
  return row && numberOf(row);
}

export async function numbersWithTrunk(
  db: Queryable,
  orgId: string | undefined,
  limit: number,
): Promise<PhoneNumber[]> {
  const all = db
    .selectFrom('phone_numbers')
    .selectAll()
    .where('status', '=', 'active')
    .where('termination_uri', 'is not', null)
    .orderBy('id')
    .limit(limit);
  return (await (orgId === undefined ? all : all.where('organization_id', '=', orgId)).execute()).map(numberOf);
}

export async function registeredAfter(db: Queryable, after: string, limit: number): Promise<PhoneNumber[]> {
  const rows = await db
    .selectFrom('phone_numbers')
    .selectAll()
    .where('id', '>', after)
    .where('register', '=', sql.lit(1 as const))
    .where('status', '=', active)
    .orderBy('id')
    .limit(limit)
    .execute();
  return rows.map(numberOf);
}

export async function trunksAfter(
  db: Queryable,
  after: string,
  limit: number,
): Promise<Array<{ numberId: string; orgId: string; trunk: Trunk }>> {
  const rows = await db
    .selectFrom('phone_numbers')
    .select(['id', 'organization_id', 'termination_uri', 'transport'])
    .where('id', '>', after)
    .where('status', '=', 'active')
    .where('termination_uri', 'is not', null)
    .orderBy('id')
    .limit(limit)
    .execute();
  return rows.map((row) => ({
    numberId: row.id,
    orgId: row.organization_id,
    trunk: { uri: row.termination_uri!, transport: row.transport },
  }));
}

export async function phonesOfTrunk(
  db: Queryable,
  orgId: string,
  { uri, transport }: Trunk,
  limit: number,
): Promise<string[]> {
  const rows = await db
    .selectFrom('phone_numbers')
    .select('phone')
    .where('organization_id', '=', orgId)
    .where('status', '=', 'active')
    .where('termination_uri', '=', uri)
    .where('transport', transport === null ? 'is' : '=', transport)
    .orderBy('id')
    .limit(limit)
    .execute();
  return rows.map(({ phone }) => phone);
}

/** Whether an active number of any organization names the carrier. */
export async function isCarrierUsed(db: Queryable, carrier: string): Promise<boolean> {
  const row = await db
    .selectFrom('phone_numbers')
    .select('id')
    .where('carrier', '=', carrier)
    .where('status', '=', active)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Which of the phones are active in any organization. */
export async function activeAnywhere(db: Queryable, phones: readonly string[]): Promise<Set<string>> {
  const rows = await db
    .selectFrom('phone_numbers')
    .select('phone')
    .where('phone', 'in', listOf(phones))
    .where('status', '=', active)
    .execute();
  return new Set(rows.map((row) => row.phone));
}

/** A page of numbers, newest first; with `text`, only those whose phone or name contains this folded text. */
export async function numbersPage(
  db: Queryable,
  orgId: string,
  text: string | undefined,
  page: Page,
): Promise<Paged<PhoneNumber>> {
  const all = db.selectFrom('phone_numbers').where('organization_id', '=', orgId);
  const found = text === undefined ? all : all.where(containsFolded(['phone', 'name'], text));
  return pagedOf(await readFiltered<NumberRow>(db, all, found, page), numberOf);
}

const countInFlight = sent((db, p: { id: string; change: number; paceAt: number | null }) =>
  db
    .updateTable('phone_numbers')
    .set((eb) => ({ in_flight: eb('in_flight', '+', p.change), pace_at: eb.fn.coalesce(eb.val(p.paceAt), 'pace_at') }))
    .where('id', '=', p.id),
);

/** Changes the count of live calls, and sets the earliest start of the next call (null leaves it unchanged). */
export async function addInFlight(tx: Tx, id: string, change: 1 | -1, paceAt: number | null = null): Promise<void> {
  await countInFlight(tx, { id, change, paceAt });
}

const update = updateById('phone_numbers');

export const setPaceAt = (tx: Tx, id: string, paceAt: number): Promise<void> => update(tx, id, { pace_at: paceAt });
