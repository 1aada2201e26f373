import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test, type TestContext } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import Sqlite from 'better-sqlite3';
import { sql } from 'kysely';
import { aContact } from '../support/fixtures.ts';
import { aRecording } from '../support/recordings.ts';
import { type Client, type Data, dataOf, startTestServer, type TestServer } from '../support/server.ts';
import { onSqlite } from '../support/store.ts';
import { aReceiver, type CallingOrg, conflictOf, createCallingOrg, newCallingOrg } from './calling-support.ts';

const data = mkdtempSync(join(tmpdir(), 'parley-erasure-'));
const server = await startTestServer({ data });
after(async () => {
  await server.stop();
  rmSync(data, { recursive: true, force: true });
});

const phone = '+4930777123400';
const person = {
  first_name: 'Zwentibold',
  last_name: 'Quakenbrück',
  email: 'zwentibold.q@example.net',
  phone,
  company: 'Quakenbrücker Bote',
  metadata: { birthday: 'Zwentiboldstag' },
};
/** Whatever of this is found afterwards belongs to the person. */
const traces = ['zwentibold', 'quakenbr', 'Zwentibold', 'Quakenbr', '4930777123400', '777123400', '777 123 400'];

type Erased = Data & { state: string; counts: Record<string, number> };

/** Resolves when an erasure is done. */
async function erased(client: Client, id: string): Promise<Erased> {
  for (;;) {
    const found = dataOf(await client.get<Erased>(`/erasures/${id}`));
    if (found.state === 'done') return found;
    await server.advance(0);
  }
}

const erase = async (client: Client, id: string, body: object = { keep_do_not_call: false }): Promise<Erased> => {
  const answer = await client.post<Data & { erasure_id: string }>(`/contacts/${id}/erase`, body);
  return erased(client, dataOf(answer).erasure_id);
};

/** The rows of tables in which one of the texts stands. */
async function rowsWith(texts: readonly string[]): Promise<string[]> {
  const having = (table: string, rows: readonly unknown[]): string[] =>
    rows
      .map((row) => JSON.stringify(row))
      .filter((row) => texts.some((text) => row.includes(text)))
      .map((row) => `${table}: ${row}`);
  if (onSqlite) return readTables(join(data, 'parley.db'), having);
  const { db } = server.running.app;
  const tables = await sql<{ name: string }>`
    SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema()`.execute(db);
  const found: string[] = [];
  for (const { name } of tables.rows)
    found.push(...having(name, (await sql`SELECT * FROM ${sql.table(name)}`.execute(db)).rows));
  return found;
}

type Having = (table: string, rows: readonly unknown[]) => string[];

/** Asks again while the file is locked for a moment. */
async function readTables(file: string, having: Having): Promise<string[]> {
  for (;;) {
    try {
      return readFile(file, having);
    } catch (error) {
      if ((error as { code?: unknown }).code !== 'SQLITE_BUSY') throw error;
      await setImmediate();
    }
  }
}

function readFile(file: string, having: Having): string[] {
  const database = new Sqlite(file, { readonly: true });
  try {
    const tables = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").pluck().all() as string[];
    return tables.flatMap((table) => having(table, readable(database, table)));
  } finally {
    database.close();
  }
}

function readable(database: Sqlite.Database, table: string): unknown[] {
  try {
    return database.prepare(`SELECT * FROM "${table}"`).all();
  } catch {
    return []; // a contentless index cannot be read, but its inner tables are
  }
}

/** The files below a directory whose bytes have one of the texts. */
function filesWith(directory: string, texts: readonly string[]): string[] {
  return readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .map((name) => join(directory, name))
    .filter((path) => statSync(path, { throwIfNoEntry: false })?.isFile())
    .flatMap((path) => {
      const bytes = readFileSync(path).toString('latin1');
      return texts
        .filter((text) => bytes.includes(Buffer.from(text).toString('latin1')))
        .map((text) => `${path}: ${text}`);
    });
}

type Lived = { contactId: string; callId: string; campaignId: string };

/** Everything that a person can leave behind. */
async function aLife(t: TestContext, on: TestServer, org: CallingOrg): Promise<Lived> {
  const { client, agentId, numberId } = org;
  const failing = await aReceiver(t);
  await client.put(`/agents/${agentId}`, { webhook_urls: [failing.url, 'http://127.0.0.1:9/closed'] });
  const keyed = { headers: { 'idempotency-key': 'life' } };
  const { id: contactId } = dataOf(await client.post('/contacts/', person, keyed));
  await client.post(
    `/contacts/${contactId}/notes`,
    { content: 'Zwentibold wants tea' },
    { headers: { 'idempotency-key': 'note' } },
  );
  await client.patch(`/contacts/${contactId}`, { company: 'Quakenbrücker Anzeiger' });
  const csv = 'name,mobile,do_not_call\nZwentibold Quakenbrück,0049 (0)30 777 123 400,perhaps\nAda,,perhaps\n';
  await client.post('/contacts/import', csv, { headers: { 'content-type': 'text/csv' } });
  const campaign = await org.run([{ phone }, '+4930777000000'], { agentId, phoneNumberId: numberId });
  await on.advance(120_000);
  const simulate = {
    outcome: 'completed',
    ring_ms: 1000,
    talk_ms: 4000,
    transcript: [{ role: 'user', text: 'Here is Zwentibold Quakenbrück' }],
    summary: 'Zwentibold was glad',
  };
  const call = { agent_id: agentId, phone_number_id: numberId, contact_id: contactId, to: phone };
  const metadata = { of: 'Zwentibold' };
  const placed = dataOf(
    await client.post('/calls', { ...call, metadata, simulate }, { headers: { 'idempotency-key': 'call' } }),
  );
  const callId = String(placed['call_session_id']);
  await on.advance(20_000);
  await aRecording(on.running.app, callId);
  const { contact_id: _, ...alone } = call;
  await client.post('/calls', { ...alone, simulate });
  await on.advance(20_000);
  await client.post('/do-not-call', { phone, reason: 'Zwentibold asked' });
  await client.del(`/do-not-call/${encodeURIComponent(phone)}`);
  await client.post('/do-not-call', { phone, reason: 'Zwentibold asked again' });
  return { contactId, callId, campaignId: campaign.id };
}

/** Many others, among whose rows the person's lie, so that pages of the file split and are filled again. */
async function aCrowd(client: Client, from: number): Promise<void> {
  const rows = Array.from(
    { length: 400 },
    (_, index) => `Robin ${index},+49306${String(from + index).padStart(6, '0')}`,
  );
  const answer = await client.post('/contacts/import', ['name,phone', ...rows].join('\n'), {
    headers: { 'content-type': 'text/csv' },
  });
  assert.equal(answer.status, 200, answer.text);
}

test('nothing of an erased person is left in any table or file, and the figures stay', async (t) => {
  const org = await createCallingOrg(server);
  const { client } = org;
  await aCrowd(client, 0);
  const { contactId, callId, campaignId } = await aLife(t, server, org);
  await aCrowd(client, 1000);
  assert.ok(!onSqlite || filesWith(data, traces).length > 5);
  assert.ok((await rowsWith(traces)).length > 8);
  const before = await org.stats(campaignId);
  const [{ total }, agent] = [
    (await client.get('/calls')).body.meta,
    dataOf(await client.get(`/agents/${org.agentId}`)),
  ];

  const everything = await client.get<Data & Record<string, unknown[]>>(`/contacts/${contactId}/everything`);
  const { notes: known, calls: made, campaigns, import_rows: rejected, changes } = dataOf(everything);
  assert.deepEqual([known!.length, made!.length, campaigns!.length, rejected!.length], [1, 3, 1, 1]);
  assert.ok(changes!.length > 0);
  assert.match(everything.text, /Here is Zwentibold.*Zwentibold wants tea|Zwentibold wants tea.*Here is Zwentibold/s);
  assert.match(everything.text, /"recording_url":"http:[^"]*\/recording"/);
  assert.equal((await client.get('/audit?operation=getEverythingOfContact')).body.meta.total, 1);

  const done = await erase(client, contactId);
  const { calls, notes, recordings, deliveries, campaign_contacts, import_rows, stored_answers } = done.counts;
  assert.deepEqual([calls, notes, recordings, deliveries, campaign_contacts, import_rows], [3, 1, 1, 6, 1, 1]);
  assert.ok(stored_answers! >= 3, `${stored_answers} stored answers`);
  assert.deepEqual(await rowsWith(traces), []);
  assert.deepEqual(filesWith(data, traces), []);
  assert.equal(existsSync(join(data, 'recordings', client.orgId, callId.slice(0, 7), `${callId}.wav`)), false);

  assert.equal((await client.get(`/contacts/${contactId}`)).status, 404);
  assert.equal((await client.get('/calls')).body.meta.total, total);
  assert.deepEqual(await org.stats(campaignId), before);
  assert.deepEqual(dataOf(await client.get(`/agents/${org.agentId}`))['callStats'], agent['callStats']);
  const call = dataOf(await client.get(`/calls/${callId}`));
  const { phone: called, contact_id, caller_name, summary, transcripts, metadata, status } = call;
  assert.deepEqual([called, contact_id, caller_name, summary, transcripts, metadata], [null, null, null, null, [], {}]);
  assert.equal(status, 'completed');
  const inCampaign = (await org.contacts(campaignId)).find(({ contact_id: id }) => id === null)!;
  assert.deepEqual([inCampaign.name, inCampaign.phone], [null, null]);
  const audit = dataOf(await client.get<Array<Record<string, unknown>> & Data>('/audit?operation=eraseContact'));
  assert.deepEqual(
    audit.map(({ target }) => target),
    [{ id: contactId, erasure_id: done.id }],
  );

  const rows = dataOf(
    await client.get<Array<Data & { status: string }> & Data>(`/webhooks/deliveries?event_id=${callId}`),
  );
  assert.deepEqual(rows.map((row) => row.status).toSorted(), ['cancelled', 'delivered']);
  for (const { id } of rows) {
    const detail = dataOf(
      await client.get<Data & { payload: object; attempts: unknown[] }>(`/webhooks/deliveries/${id}`),
    );
    assert.deepEqual([detail.payload, detail.attempts], [{}, []]);
    assert.match(conflictOf(await client.post(`/webhooks/deliveries/${id}/retry`)), /erased/);
  }
});

test('a number that may not be called stays on the list without a reason, unless that is to go too', async () => {
  const client = await server.newOrganization();
  const listed = async () =>
    dataOf(await client.get<Array<{ phone: string; reason: string | null }> & Data>('/do-not-call'));
  const one = await aContact(client, { do_not_call: true });
  await erase(client, one.id, {});
  assert.deepEqual(
    (await listed()).map(({ phone: on, reason }) => [on, reason]),
    [[one.phone, null]],
  );
  const other = await aContact(client, { phone: one.phone });
  await erase(client, other.id, { keep_do_not_call: false });
  assert.deepEqual(await listed(), []);
  const free = await aContact(client);
  await erase(client, free.id, { keep_do_not_call: true });
  assert.deepEqual(await listed(), []);
});

test('others are not touched: another contact with the number, and another organization', async (t) => {
  const [mine, theirs] = [await newCallingOrg(server), await newCallingOrg(server)];
  const { contactId } = await aLife(t, server, mine);
  const lived = await aLife(t, server, theirs);
  const call = async () => dataOf(await theirs.client.get(`/calls/${lived.callId}`));
  const before = await call();
  await erase(mine.client, contactId);
  assert.deepEqual(await call(), before);
  assert.equal((await theirs.client.get(`/contacts/${lived.contactId}`)).status, 200);
  assert.equal(dataOf(await theirs.client.get<unknown[] & Data>('/do-not-call')).length, 1);
  await erase(theirs.client, lived.contactId);

  const [one, twin] = [await aContact(mine.client, { phone }), await aContact(mine.client, { phone })];
  const { agentId, numberId, client } = mine;
  const { call_session_id: id } = dataOf(
    await client.post('/calls', { agent_id: agentId, phone_number_id: numberId, contact_id: twin.id, to: phone }),
  );
  await server.advance(300_000);
  await erase(client, one.id);
  assert.equal(dataOf(await client.get(`/calls/${String(id)}`))['phone'], phone);
  assert.equal((await client.get(`/contacts/${twin.id}`)).status, 200);
});

test('kept rows of an import with the same id in another organization are neither shown nor erased', async () => {
  const [mine, theirs] = [await server.newOrganization(), await server.newOrganization()];
  const path = '/contacts/import?import_id=01a21fa3-bc05-7002-bc02-f259e1f06b5d';
  const csv = `name,mobile,do_not_call\nZwentibold Quakenbrück,${phone},perhaps\n`;
  for (const client of [mine, theirs]) {
    const { status, text } = await client.post(path, csv, { headers: { 'content-type': 'text/csv' } });
    assert.equal(status, 200, text);
  }
  const kept = async (client: Client): Promise<number> => {
    const { id } = await aContact(client, person);
    return dataOf<{ import_rows: unknown[] } & Data>(await client.get(`/contacts/${id}/everything`)).import_rows.length;
  };
  assert.deepEqual([await kept(mine), await kept(theirs)], [1, 1]);
  const { counts } = await erase(mine, (await aContact(mine, person)).id);
  assert.equal(counts['import_rows'], 1);
  assert.equal(await kept(theirs), 1);
});

test('an erasure is refused while the person is on the phone, and for others than admins', async () => {
  const { client, agentId, numberId } = await newCallingOrg(server);
  const contact = await aContact(client, { phone: '+4930777999900' });
  await client.post('/calls', { agent_id: agentId, phone_number_id: numberId, to: contact.phone });
  await server.advance(6000);
  assert.match(conflictOf(await client.post(`/contacts/${contact.id}/erase`, {})), /on the phone/);
  const key = await client.keyWithRole('member');
  assert.equal((await client.post(`/contacts/${contact.id}/erase`, {}, { key })).status, 403);
  await server.advance(60_000);
  const { id } = await erase(client, contact.id);
  assert.equal((await (await server.newOrganization()).get(`/erasures/${id}`)).status, 404);
});
