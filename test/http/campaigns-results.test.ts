import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { parse } from 'csv-parse/sync';
import { aPhone } from '../support/fixtures.ts';
import { firstSheetRows } from '../../src/extraction/office/sheet-rows.ts';
import { startTestServer } from '../support/server.ts';
import { type CallingOrg, newCallingOrg } from './calling-support.ts';

/** The test clock starts on Monday, 2 March 2026, at 09:00 UTC. */
const server = await startTestServer();
after(() => server.stop());

const download = (org: CallingOrg, id: string, query = '') => org.client.get(`/campaigns/${id}/results${query}`);
const rowsOf = async (org: CallingOrg, id: string): Promise<Array<Record<string, string>>> =>
  parse((await download(org, id)).text, { columns: true });
const linesOf = async (org: CallingOrg, id: string): Promise<Array<Record<string, unknown>>> =>
  (await download(org, id, '?format=jsonl')).text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>);

/** The body as it was sent: reading it as text drops a byte order mark. */
async function bytesOf(org: CallingOrg, id: string, query: string): Promise<Buffer> {
  const headers = { 'x-api-key': org.client.apiKey };
  const answer = await fetch(`${server.url}/api/v1/campaigns/${id}/results${query}`, { headers });
  return Buffer.from(await answer.arrayBuffer());
}

const fixedColumns = [
  ...['contact_id', 'phone', 'first_name', 'last_name', 'email', 'company', 'status', 'attempts'],
  ...[
    'last_attempted_at',
    'duration_sec',
    'disconnect_reason',
    'error_message',
    'summary',
    'call_session_id',
    'tags',
    'final',
  ],
];

test('results have a row for each contact, with its last call and a column for each key of any metadata', async () => {
  const org = await newCallingOrg(server);
  const contacts = [
    {
      phone: aPhone('00'),
      first_name: 'Ada',
      last_name: 'O"Brien, Countess',
      email: 'ada@example.com',
      company: 'Ünï',
      tags: ['vip', 'spring'],
      metadata: { plan: 'a', 'shoe size': 38 },
    },
    { phone: aPhone('06'), metadata: { 'shoe size': null, nested: { deep: [1] } } },
    { phone: aPhone('02'), timezone: 'America/New_York' },
  ];
  const { id } = await org.run(contacts, {
    schedule: { timezone: 'Asia/Kathmandu', windowStart: '14:00', windowEnd: '18:00' },
  });
  await server.advance(60_000);
  const answer = await download(org, id);
  assert.equal(answer.status, 200);
  assert.match(answer.headers.get('content-type')!, /^text\/csv/);
  assert.match(answer.headers.get('content-disposition')!, /^attachment; filename=".*\.csv"$/);
  const rows = await rowsOf(org, id);
  assert.deepEqual(Object.keys(rows[0]!), [...fixedColumns, 'metadata.plan', 'metadata.shoe size', 'metadata.nested']);
  const joined = await org.contacts(id);
  const { summary, ...first } = rows[0]!;
  assert.ok(summary!.length > 0);
  assert.deepEqual(first, {
    contact_id: joined[0]!.contact_id,
    phone: contacts[0]!.phone,
    first_name: 'Ada',
    last_name: 'O"Brien, Countess',
    email: 'ada@example.com',
    company: 'Ünï',
    status: 'completed',
    attempts: '1',
    last_attempted_at: '2026-03-02T14:45:00.000+05:45',
    duration_sec: '30',
    disconnect_reason: first['disconnect_reason'],
    error_message: '',
    call_session_id: joined[0]!.call_session_id,
    tags: 'vip, spring',
    final: 'true',
    'metadata.plan': 'a',
    'metadata.shoe size': '38',
    'metadata.nested': '',
  });
  assert.equal(rows[1]!['status'], 'failed');
  assert.notEqual(rows[1]!['error_message'], '');
  assert.equal(rows[1]!['metadata.nested'], '{"deep":[1]}');
  assert.deepEqual(
    [rows[2]!['status'], rows[2]!['attempts'], rows[2]!['last_attempted_at'], rows[2]!['metadata.plan']],
    ['pending', '0', '', ''],
  );
});

test('results as JSON Lines have the same columns, with their JSON types', async () => {
  const org = await newCallingOrg(server);
  const { id } = await org.run([{ phone: aPhone('00'), tags: ['vip'], metadata: { size: 38 } }, aPhone('02')]);
  await server.advance(60_000);
  const answer = await download(org, id, '?format=jsonl');
  assert.match(answer.headers.get('content-type')!, /^application\/jsonl/);
  assert.match(answer.headers.get('content-disposition')!, /\.jsonl"$/);
  const [first, second] = await linesOf(org, id);
  assert.deepEqual(Object.keys(first!), [...fixedColumns, 'metadata.size']);
  const fields = ({ status, attempts, tags, first_name: name, ...row }: Record<string, unknown>) => [
    ...[status, attempts, tags, name, row['duration_sec'], row['metadata.size'], row['last_attempted_at']],
  ];
  assert.deepEqual(fields(first!).slice(0, 6), ['completed', 1, ['vip'], null, 30, 38]);
  assert.match(String(first!['last_attempted_at']), /\+00:00$/);
  assert.deepEqual(fields(second!).slice(0, 6), ['busy', 1, [], null, 0, null]);
});

test('cells and column names that a spreadsheet could run as a formula start with an apostrophe, phones do not', async () => {
  const org = await newCallingOrg(server);
  const { id } = await org.campaign();
  const phone = aPhone();
  await org.add(id, [{ phone, first_name: '=1+1', company: '@sum', metadata: { '=a': '-2', plan: '\tx' } }]);
  const [row] = await rowsOf(org, id);
  assert.deepEqual(
    [row!['phone'], row!['first_name'], row!['company'], row!['metadata.=a'], row!['metadata.plan']],
    [phone, "'=1+1", "'@sum", "'-2", "'\tx"],
  );
  assert.equal((await linesOf(org, id))[0]!['first_name'], '=1+1', 'JSON is not run');
});

test('a row is final once no call and no retry can change it any more', async () => {
  const org = await newCallingOrg(server);
  const { id } = await org.run([aPhone('00'), aPhone('02'), aPhone('00')], {
    maxCps: 1,
    schedule: { retryAttempts: 1, retryGapMin: 60, maxConcurrent: 2 },
  });
  const finals = async () => (await rowsOf(org, id)).map(({ status, final }) => [status, final]);
  await server.advance(10_000);
  assert.deepEqual(await finals(), [
    ['in_progress', 'false'],
    ['pending', 'false'],
    ['in_progress', 'false'],
  ]);
  await server.advance(60_000);
  assert.deepEqual(await finals(), [
    ['completed', 'true'],
    ['pending', 'false'],
    ['completed', 'true'],
  ]);
  await org.patch(id, { status: 'completed' });
  assert.deepEqual((await finals())[1], ['expired', 'true']);
});

test('with dialect=excel a CSV begins with a byte order mark, and semicolons separate its cells', async () => {
  const org = await newCallingOrg(server);
  const { id } = await org.campaign();
  await org.add(id, [{ phone: aPhone(), first_name: 'Ünï;code', company: 'A, B' }]);
  const { text } = await download(org, id, '?dialect=excel');
  const bytes = await bytesOf(org, id, '?dialect=excel');
  assert.deepEqual([...bytes.subarray(0, 3)], [0xef, 0xbb, 0xbf]);
  const [row] = parse<Record<string, string>>(text, { columns: true, delimiter: ';', bom: true });
  assert.deepEqual([row!['first_name'], row!['company']], ['Ünï;code', 'A, B']);
});

test('results as a workbook have the same columns, texts that cannot run, numbers as numbers, and can be read by an import', async () => {
  const org = await newCallingOrg(server);
  const odd = { first_name: '=1+1', last_name: 'a & <b>\u0001\n"c"', company: '  padded 🦜' };
  const { id } = await org.run([{ phone: aPhone('00'), ...odd, tags: ['vip', 'x'], metadata: { n: 1.5 } }]);
  await server.advance(60_000);
  const bytes = await bytesOf(org, id, '?format=xlsx');
  const rows: string[][] = [];
  for await (const row of firstSheetRows(bytes, {
    maxUnpackedBytes: 1e7,
    maxStringBytes: 1e7,
    maxTextBytes: 2 ** 26,
    maxRowChars: 1e6,
  }))
    if (row) rows.push(Array.from({ length: 17 }, (_, at) => row.get(at) ?? ''));
  assert.deepEqual(rows[0], [...fixedColumns, 'metadata.n']);
  const [row] = await rowsOf(org, id);
  assert.equal(rows[1]![2], "'=1+1");
  assert.equal(rows[1]![3], 'a & <b>\uFFFD\n"c"');
  assert.equal(rows[1]![5], '  padded 🦜');
  assert.deepEqual([rows[1]![7], rows[1]![9], rows[1]![16]], ['1', '30', '1.5']);
  assert.deepEqual(rows[1]!.slice(12, 14), [row!['summary'], row!['call_session_id']]);
});

test('results of more contacts than a page has are complete and in order; deleted contacts keep their row', async () => {
  const org = await newCallingOrg(server);
  const { id } = await org.campaign();
  const phones = Array.from({ length: 620 }, () => aPhone());
  await org.add(id, [...phones.slice(0, 619), { phone: phones[619]!, metadata: { last: true } }] as string[]);
  const [gone] = await org.contacts(id);
  await org.client.del(`/contacts/${gone!.contact_id}`);
  const rows = await rowsOf(org, id);
  assert.deepEqual(
    rows.map((row) => row['phone']),
    phones,
  );
  assert.deepEqual(
    [rows[0]!['contact_id'], rows[0]!['status'], rows[619]!['metadata.last']],
    ['', 'cancelled', 'true'],
  );
});

test('keys beyond 500 share a column', async () => {
  const org = await newCallingOrg(server);
  const { id } = await org.campaign();
  const metadata = Object.fromEntries(Array.from({ length: 502 }, (_, index) => [`key ${index}`, index]));
  await org.add(id, [{ phone: aPhone(), metadata }]);
  const [row] = await rowsOf(org, id);
  assert.equal(Object.keys(row!).length, fixedColumns.length + 501);
  assert.equal(row!['metadata.key 499'], '499');
  assert.deepEqual(JSON.parse(row!['metadata']!), { 'key 500': 500, 'key 501': 501 });
});

test('an unknown format is refused, and another organization finds nothing', async () => {
  const org = await newCallingOrg(server);
  const { id } = await org.campaign();
  assert.equal((await download(org, id, '?format=pdf')).status, 400);
  const other = await server.newOrganization();
  assert.equal((await other.get(`/campaigns/${id}/results`)).status, 404);
});
