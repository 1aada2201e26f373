/**
 * Measures the bytes of write-ahead log that a call costs, from its tick to its delivered webhook, and which tables and indexes they are of.
 *
 *   npm run bench:calls:log [-- --quick] [-- --json]
 *
 * Campaigns without limits call at full pace, so dozens of steps share a commit. A reader keeps the log from being started over.
 */
import { readFileSync, statSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import Sqlite from 'better-sqlite3';
import { sql } from 'kysely';
import { installation, transact } from '../src/db/transaction.ts';
import { addCampaignContacts } from '../src/features/campaigns/contacts/campaign-contacts.ts';
import { createCampaign, updateCampaign } from '../src/features/campaigns/service.ts';
import { importNumber } from '../src/features/numbers/service.ts';
import { startChild } from './support/child.ts';
import { quick, report, type Row } from './support/report.ts';
import { makeAgent, type Server, startServer } from './support/server.ts';

const campaigns = 10;
const contacts = quick ? 100 : 400;
/** Outcomes as the simulated carrier draws them: the phones do not end in 00 to 09. */
const phoneOf = (campaign: number, n: number): string =>
  `+4917${campaign}${String(n).padStart(5, '0')}0${10 + (n % 80)}`;
const unlimited = '1000000';
const maxKib = 25;
const shown = 20;

async function makeCampaign(server: Server, agentId: string, index: number): Promise<string> {
  const { app, orgId } = server;
  const number = await importNumber(app, orgId, { phone: `+49309018${index}0`, termination_uri: 'sip.example.com' });
  const { id } = await createCampaign(app, orgId, {
    name: `Campaign ${index}`,
    agentId,
    phoneNumberId: number.id,
    maxCps: 100,
  });
  await transact(app.db, installation, async (tx) => {
    await sql`UPDATE phone_numbers SET max_concurrent = 1000000, max_cps = 1000000 WHERE id = ${number.id}`.execute(tx);
    await sql`UPDATE campaigns SET max_concurrent = 1000000 WHERE id = ${id}`.execute(tx);
  });
  const people = Array.from({ length: contacts }, (_, n) => ({
    first_name: 'Ada',
    last_name: `Lovelace ${n}`,
    email: `ada${index}.${n}@example.com`,
    phone: phoneOf(index, n),
  }));
  await addCampaignContacts(app, orgId, id, { contactIds: [], contacts: people });
  return id;
}

async function callAll(server: Server, ids: readonly string[]): Promise<void> {
  const { app, orgId, runner } = server;
  const before = runner.ran().get('webhook.deliver') ?? 0;
  for (const id of ids) await updateCampaign(app, orgId, id, { status: 'active' });
  while ((runner.ran().get('webhook.deliver') ?? 0) < before + ids.length * contacts) await setTimeout(50);
}

type Names = ReadonlyMap<number, string>;
type Snapshot = { logBytes: number; names: Names };

/** Which table or index each page belongs to. Pages of the queue and of recent calls are taken over by others as soon as they are empty. */
function namesOf(file: string, of = '%'): Names {
  const database = new Sqlite(file, { readonly: true });
  const trees = database.prepare<[string], string>(
    "SELECT name FROM sqlite_schema WHERE (tbl_name LIKE ? OR name = 'calls_recent') AND rootpage > 0",
  );
  const pages = database.prepare<[string], [number, string]>('SELECT pageno, name FROM dbstat WHERE name = ?').raw();
  const names = trees
    .pluck()
    .all(of)
    .flatMap((name) => pages.all(name));
  database.close();
  return new Map(names);
}

/** How many pages of each table and index the log holds, and its bytes (https://www.sqlite.org/fileformat.html, section 4). */
function readLog(file: string, from: number, snapshots: readonly Snapshot[]) {
  const log = readFileSync(`${file}-wal`);
  const frameBytes = 24 + log.readUInt32BE(8);
  const all = namesOf(file);
  const frames = new Map<string, number>();
  let commits = 0;
  let at = Math.max(32, from);
  for (; at + frameBytes <= log.length; at += frameBytes) {
    const page = log.readUInt32BE(at);
    if (log.readUInt32BE(at + 4) > 0) commits += 1;
    const name = snapshots.find(({ logBytes }) => logBytes > at)?.names.get(page) ?? all.get(page) ?? 'free pages';
    frames.set(name, (frames.get(name) ?? 0) + 1);
  }
  return { frames, frameBytes, commits };
}

const receiver = await startChild('receiver.ts');
const server = await startServer({
  'limits.organization.max_concurrent': unlimited,
  'limits.organization.max_cps': unlimited,
  'carrier.simulated.speed': '100',
});
const agentId = await makeAgent(server, [`http://127.0.0.1:${receiver.ready['port']}/`]);
const ids: string[] = [];
for (let index = 0; index < 2 * campaigns; index++) ids.push(await makeCampaign(server, agentId, index));
// The first half fills the tables, so that their indexes have some size.
await callAll(server, ids.slice(0, campaigns));
const [main] = (
  await sql<{ file: string }>`SELECT file FROM pragma_database_list WHERE name = 'main'`.execute(server.app.db)
).rows;
const reader = new Sqlite(main!.file, { readonly: true });
await sql`PRAGMA wal_checkpoint(TRUNCATE)`.execute(server.app.db);
reader.exec('BEGIN; SELECT count(*) FROM sqlite_schema');
const logBytes = (): number => statSync(`${main!.file}-wal`).size;
const from = logBytes();
const snapshots: Snapshot[] = [];
const timer = setInterval(() => snapshots.push({ logBytes: logBytes(), names: namesOf(main!.file, 'outbox') }), 25);
await callAll(server, ids.slice(campaigns));
clearInterval(timer);
const { frames, frameBytes, commits } = readLog(main!.file, from, snapshots);
reader.close();
await server.finish();
await receiver.stop();

const calls = campaigns * contacts;
const kibOf = (count: number): number => (count * frameBytes) / calls / 1024;
const total = [...frames.values()].reduce((sum, count) => sum + count, 0);
const rows: Row[] = [
  { what: 'log per call', parley: kibOf(total), unit: 'KiB', digits: 1, target: { atMost: maxKib } },
  ...[...frames]
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, shown)
    .map(([name, count]) => ({ what: `of it ${name}`, parley: kibOf(count), unit: 'KiB', digits: 1 })),
  { what: 'calls per commit', parley: calls / commits, digits: 1 },
];
report(`log of ${calls} calls`, rows);
