// Long: its files have many rows, in many encodings.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import fc from 'fast-check';
import { aCampaign, aContact, aPhone } from '../support/fixtures.ts';
import { messyFiles, sheetType } from '../support/messy-files.ts';
import { type Answer, type Client, type Data, dataOf, faultPaths, startTestServer } from '../support/server.ts';
import { failOnInsert } from '../support/both-stores.ts';
import { xlsxOf } from '../support/documents/office.ts';
import { propertyRuns } from '../support/property-runs.ts';

const server = await startTestServer();
after(() => server.stop());

type RowReason = { row: number; reason: string };
type Imported = {
  import_id: string | null;
  created: number;
  updated: number;
  rejected: RowReason[];
  rejected_count: number;
  warnings: Array<{ row: number; field: string; reason: string }>;
  warning_count: number;
  skipped: RowReason[];
  repeated: Array<{ row: number; first_row: number }>;
  total: number;
  columns: Array<{ name: string; to: string | null }>;
  sample: string[][];
  contact_ids: string[] | null;
  added?: number;
};
type Query = Readonly<Record<string, string>>;

const post = (
  client: Client,
  path: string,
  body: string | Buffer,
  query: Query = {},
  contentType = 'text/csv',
): Promise<Answer<Imported>> =>
  client.post<Imported>(`${path}?${new URLSearchParams(query).toString()}`, body, {
    headers: { 'content-type': contentType },
  });
const toContacts = async (client: Client, body: string | Buffer, query: Query = {}): Promise<Imported> =>
  dataOf(await post(client, '/contacts/import', body, query));
const campaignPath = (id: string): string => `/campaigns/${id}/contacts/import`;
const contactsOf = async (client: Client): Promise<Data[]> =>
  dataOf(await client.get<Data[]>('/contacts/?limit=500')).toReversed();
const countOf = async (client: Client): Promise<number> => (await client.get<Data[]>('/contacts/')).body.meta.total;
const campaignContactsOf = async (client: Client, id: string): Promise<Data[]> =>
  dataOf(await client.get<Data[]>(`/campaigns/${id}/contacts?limit=500`));

const pick = (data: Data, keys: readonly string[]) => Object.fromEntries(keys.map((key) => [key, data[key]]));

for (const { title, bytes, query, contentType, contacts, rejected = {}, columns = {} } of messyFiles) {
  test(`an import reads ${title}`, async () => {
    const client = await server.newOrganization();
    const answer = dataOf(await post(client, '/contacts/import', bytes, query, contentType));
    assert.deepEqual(
      answer.rejected.map(({ row }) => row),
      Object.keys(rejected).map(Number),
      JSON.stringify(answer.rejected.slice(0, 5)),
    );
    for (const { row, reason } of answer.rejected) assert.match(reason, rejected[row]!);
    for (const [name, to] of Object.entries(columns)) {
      assert.equal(answer.columns.find((column) => column.name === name)?.to, to, name);
    }
    const oldest = await client.get<Data[]>(`/contacts/?limit=500&offset=${Math.max(0, answer.created - 500)}`);
    const made = dataOf(oldest).toReversed().slice(0, contacts.length);
    assert.deepEqual(
      made.map((contact, index) => pick(contact, Object.keys(contacts[index]!))),
      contacts,
    );
    assert.equal(answer.created + answer.rejected.length, answer.total);
  });
}

/** A workbook of two rows, one of which also has a cell in the last column. */
function farCell(header: string[], values: string[], rowWithFarCell: 1 | 2): Buffer {
  const rows = [header, values].map((cells, index) => {
    const near = cells.map((cell) => `<c t="inlineStr"><is><t>${cell}</t></is></c>`).join('');
    return `<row r="${index + 1}">${near}${index + 1 === rowWithFarCell ? `<c r="XFD${index + 1}"><v>1</v></c>` : ''}</row>`;
  });
  const part = `<worksheet><sheetData>${rows.join('')}</sheetData></worksheet>`;
  return xlsxOf([{ name: 'S', rows: [] }], undefined, { 'xl/worksheets/sheet1.xml': part });
}

test('a row with a cell in the last column of a sheet is rejected alone', async () => {
  const client = await server.newOrganization();
  const answer = await post(client, '/contacts/import', farCell(['phone'], ['+4930901820'], 2));
  assert.deepEqual(dataOf(answer).rejected, [{ row: 1, reason: 'The row has more than 1000 cells, the header has 1' }]);
});

test('files that are neither text nor workbooks are a 400 that says what to send', async () => {
  const client = await server.newOrganization();
  const workbook = xlsxOf([{ name: 'S', rows: [['phone'], ['+4930901820']] }]);
  const faulty: ReadonlyArray<readonly [Buffer, RegExp]> = [
    [Buffer.from('d0cf11e0a1b11ae1', 'hex'), /old .xls file/],
    [workbook.subarray(0, workbook.length - 30), /damaged or was cut off/],
    [Buffer.from('PK\u0003\u0004nothing'), /neither CSV nor XLSX/],
    [xlsxOf([{ name: 'S', rows: [] }]), /first sheet is empty/],
    [xlsxOf([{ name: 'S', rows: [['Ada', 'Lovelace']] }]), /names no field of a contact/],
    [farCell(['phone'], ['+4930901820'], 1), /header has 16384 columns, and an import takes at most 1000/],
    [Buffer.from(`phone${','.repeat(1000)}\n+4930901820\n`), /header has 1001 columns/],
  ];
  for (const [bytes, message] of faulty) {
    const answer = await post(client, '/contacts/import', bytes);
    assert.deepEqual(faultPaths(answer), [''], String(message));
    assert.match(answer.body.message, message);
  }
  assert.equal((await post(client, '/contacts/import', workbook, {}, 'application/vnd.ms-excel')).status, 415);
  assert.equal(await countOf(client), 0);
});

test('parameters that cannot be followed are a 400 and import nothing', async () => {
  const client = await server.newOrganization();
  const faulty: ReadonlyArray<readonly [Query, string]> = [
    [{ mapping: '{' }, 'mapping'],
    [{ mapping: '["phone"]' }, 'mapping'],
    [{ mapping: '{"A":1}' }, 'mapping'],
    [{ mapping: '{"A":"phone","phone":null,"\\u0041" : "company"}' }, 'mapping'],
    [{ mapping: '{"A":"shoe_size"}' }, 'mapping.A'],
    [{ mapping: '{"Z":"phone"}' }, 'mapping.Z'],
    [{ mapping: '{"A":"phone","phone":"phone"}' }, 'mapping.phone'],
    [{ mapping: '{"A":"metadata.phone","phone":"metadata.phone"}' }, 'mapping.phone'],
    [{ default_country: 'XX' }, 'default_country'],
    [{ default_country: 'Germany' }, 'default_country'],
    [{ on_duplicate: 'ignore' }, 'on_duplicate'],
    [{ dry_run: 'maybe' }, 'dry_run'],
    [{ charset: 'klingon' }, 'charset'],
    [{ ids: '1' }, 'ids'],
  ];
  for (const [query, path] of faulty) {
    const answer = await post(client, '/contacts/import', 'A,phone\nx,+4930901820\n', query);
    assert.deepEqual(faultPaths(answer), [path], `${JSON.stringify(query)} ${answer.text}`);
  }
  assert.equal(await countOf(client), 0);
});

test('query parameters count in every form, and a form may name its character set', async () => {
  const client = await server.newOrganization();
  const bytes = Buffer.from('Vorname,Nummer\nJürgen,030 901820\n', 'latin1');
  const form = new FormData();
  form.append('file', new Blob([new Uint8Array(bytes)], { type: 'text/csv; charset=iso-8859-1' }), 'export.csv');
  const query = new URLSearchParams({ mapping: '{"Nummer":"phone"}', default_country: 'DE' });
  const answer = dataOf(await client.post<Imported>(`/contacts/import?${query.toString()}`, form));
  assert.equal(answer.created, 1);
  assert.deepEqual(answer.columns, [
    { name: 'Vorname', to: 'first_name' },
    { name: 'Nummer', to: 'phone' },
  ]);
  assert.deepEqual(answer.sample, [['Jürgen', '030 901820']]);
  const [contact] = await contactsOf(client);
  assert.deepEqual([contact!['first_name'], contact!['phone']], ['Jürgen', '+4930901820']);
  const anySheet = xlsxOf([{ name: 'S', rows: [['phone'], ['+4930901821']] }]);
  const workbook = new FormData();
  workbook.append('file', new Blob([new Uint8Array(anySheet)]), 'x.csv');
  assert.equal(dataOf(await client.post<Imported>('/contacts/import', workbook)).created, 1);
});

test('the setting contacts.default_country holds where the request names no country', async () => {
  const german = await startTestServer({ settings: { 'contacts.default_country': 'DE' } });
  try {
    assert.equal((await toContacts(german, 'phone\n030 901820\n')).created, 1);
    assert.equal((await toContacts(german, 'phone\n(212) 555-0100\n', { default_country: 'US' })).created, 1);
    assert.deepEqual(
      (await contactsOf(german)).map((contact) => contact['phone']),
      ['+4930901820', '+12125550100'],
    );
  } finally {
    await german.stop();
  }
});

test('a known contact is changed or stays as it is, and rows that repeat a phone are told each', async () => {
  const client = await server.newOrganization();
  const known = await aContact(client, { phone: '+4930901820', first_name: 'Ada' });
  const file = 'phone,first_name\n+4930901820,Augusta\n+4930901821,Bob\n+4930901821,Rob\n';
  const skipped = await toContacts(client, file, { on_duplicate: 'skip', ids: 'true' });
  assert.deepEqual([skipped.created, skipped.updated, skipped.total], [1, 0, 3]);
  assert.deepEqual(
    skipped.skipped.map(({ row }) => row),
    [1, 3],
  );
  assert.deepEqual(skipped.repeated, [{ row: 3, first_row: 2 }]);
  const [ada, bob] = await contactsOf(client);
  assert.deepEqual([ada!['first_name'], bob!['first_name']], ['Ada', 'Bob']);
  assert.deepEqual(skipped.contact_ids, [known.id, bob!.id, bob!.id]);
  const updated = await toContacts(client, file, { ids: 'true' });
  assert.deepEqual([updated.created, updated.updated, updated.skipped], [0, 3, []]);
  assert.deepEqual(updated.contact_ids, skipped.contact_ids);
  assert.deepEqual(
    (await contactsOf(client)).map((contact) => contact['first_name']),
    ['Augusta', 'Rob'],
  );
  assert.equal((await toContacts(client, file)).contact_ids, null);
});

test('a rejected row is not the first one of its phone', async () => {
  const client = await server.newOrganization();
  const file = 'phone,do_not_call\n+4930901820,perhaps\n+4930901820,no\n+4930901820,no\n';
  const { repeated, created, updated } = await toContacts(client, file);
  assert.deepEqual([created, updated, repeated], [1, 1, [{ row: 3, first_row: 2 }]]);
});

test('a cell that cannot be read is left out with a warning, and its row is imported', async () => {
  const client = await server.newOrganization();
  const known = await aContact(client, { phone: '+4930901820', email: 'ada@example.com', timezone: 'Europe/Berlin' });
  const file = [
    'phone,first_name,email,timezone,metadata',
    '+4930901820,Ada,nobody,Berlin,{',
    `nonsense,${'x'.repeat(201)},bob@example.com,,`,
    'nonsense,Eve,,,',
  ].join('\n');
  const data = await toContacts(client, file);
  assert.deepEqual([data.created, data.updated, data.rejected, data.rejected_count], [2, 1, [], 0]);
  assert.deepEqual(
    data.warnings.map(({ row, field }) => [row, field]),
    [
      [1, 'metadata'],
      [1, 'email'],
      [1, 'timezone'],
      [2, 'phone'],
      [2, 'first_name'],
      [3, 'phone'],
    ],
  );
  assert.equal(data.warning_count, 6);
  assert.match(data.warnings[1]!.reason, /^must be an e-mail address/);
  const [ada, bob, eve] = await contactsOf(client);
  assert.deepEqual(pick(ada!, ['id', 'first_name', 'email', 'timezone']), {
    id: known.id,
    first_name: 'Ada',
    email: 'ada@example.com',
    timezone: 'Europe/Berlin',
  });
  assert.deepEqual(pick(bob!, ['phone', 'first_name', 'email']), {
    phone: null,
    first_name: null,
    email: 'bob@example.com',
  });
  assert.equal(eve!['first_name'], 'Eve');
});

test('a row is rejected when nothing identifies its contact, when it may be an opt-out, and with strict=true for any cell', async () => {
  const client = await server.newOrganization();
  const file = 'phone,email,company,do_not_call\nnonsense,nobody,Acme,\n,,Acme,\n+4930901820,a@example.com,,perhaps\n';
  const { rejected, rejected_count: count, created } = await toContacts(client, file);
  assert.deepEqual([created, count], [0, 3]);
  assert.match(rejected[0]!.reason, /^phone must be .*; email must be/);
  assert.equal(rejected[1]!.reason, 'has no phone, email or name');
  assert.match(rejected[2]!.reason, /^do_not_call must be true or false/);
  const strict = await toContacts(client, 'phone,email\n+4930901820,nobody\n+4930901821,\n', { strict: 'true' });
  assert.deepEqual([strict.created, strict.rejected_count, strict.warnings], [1, 1, []]);
  assert.match(strict.rejected[0]!.reason, /^email must be/);
});

test('into a campaign, a bad e-mail address costs no lead, and a row without a readable phone is rejected', async () => {
  const client = await server.newOrganization();
  const { id } = await aCampaign(client);
  const file = `phone,email,tags\n+4930901820,nobody,${Array.from({ length: 51 }, (_, i) => i).join(';')}\n,a@example.com,\n`;
  const data = dataOf(await post(client, campaignPath(id), file));
  assert.deepEqual([data.added, data.rejected], [1, [{ row: 2, reason: 'has no phone' }]]);
  assert.deepEqual(
    data.warnings.map(({ field }) => field),
    ['tags', 'email'],
  );
  assert.deepEqual((await campaignContactsOf(client, id))[0]!['tags'], []);
});

test('an import into a campaign adds its contacts with their tags, and tells which rows did not join', async () => {
  const client = await server.newOrganization();
  const { id } = await aCampaign(client);
  const known = await aContact(client, { phone: '+4930901820', first_name: 'Ada' });
  dataOf(await client.post('/do-not-call', { phone: '+4930901822' }));
  const file =
    'Phone,First Name,Tags,do_not_call\n' +
    '+4930901820,Augusta,"vip, spring",\n' +
    '+4930901821,Bob,,\n' +
    '+4930901822,Listed,,\n' +
    '+4930901823,Opted out,,yes\n' +
    ',No phone,,\n' +
    '+4930901821,Rob,late,\n' +
    'nonsense,Eve,,\n';
  const answer = await post(client, campaignPath(id), file, { ids: 'true' });
  const data = dataOf(answer);
  assert.deepEqual([data.created, data.updated, data.added, data.total], [3, 2, 2, 7]);
  assert.deepEqual(data.skipped, [
    { row: 3, reason: 'is on the do-not-call list' },
    { row: 4, reason: 'is on the do-not-call list' },
    { row: 6, reason: 'repeats the phone number of row 2' },
  ]);
  assert.deepEqual(data.rejected[0], { row: 5, reason: 'has no phone' });
  assert.match(data.rejected[1]!.reason, /^phone must be a telephone number/);
  assert.equal(data.rejected_count, 2);
  assert.equal(data.contact_ids!.length, 5);
  assert.equal(
    answer.body.message,
    'Contacts imported: 3 created, 2 updated, 2 added to the campaign, 3 skipped, 2 rejected.',
  );
  const joined = await campaignContactsOf(client, id);
  assert.deepEqual(
    joined.map((contact) => [contact['contact_id'], contact['name'], contact['tags']]),
    [
      [known.id, 'Augusta', ['vip', 'spring']],
      [data.contact_ids![1], 'Rob', []],
    ],
  );
  const [event] = dataOf(await client.get<Data[]>(`/campaigns/${id}/events`));
  assert.deepEqual([event!['type'], event!['detail']], ['contacts_added', { added: 2, skipped: 3 }]);
  const again = dataOf(await post(client, campaignPath(id), file));
  assert.equal(again.added, 0);
  assert.equal(again.skipped[0]!.reason, 'the phone number is already in the campaign');
  assert.equal((await client.get<Data[]>(`/campaigns/${id}/contacts`)).body.meta.total, 2);
});

test('a known contact that stays as it is joins the campaign all the same', async () => {
  const client = await server.newOrganization();
  const { id } = await aCampaign(client);
  await aContact(client, { phone: '+4930901820', first_name: 'Ada' });
  const data = dataOf(
    await post(client, campaignPath(id), 'phone,first_name\n+4930901820,X\n', { on_duplicate: 'skip' }),
  );
  assert.deepEqual([data.created, data.updated, data.added, data.skipped], [0, 0, 1, []]);
  assert.equal((await campaignContactsOf(client, id))[0]!['name'], 'Ada');
});

test('an import into a completed campaign adds contacts that wait, and one into an unknown campaign is a 404 that writes nothing', async () => {
  const client = await server.newOrganization();
  const { id } = await aCampaign(client);
  dataOf(await client.patch(`/campaigns/${id}`, { status: 'completed' }));
  const file = `phone\n${aPhone()}\n`;
  const stranger = await server.newOrganization();
  for (const query of [{ dry_run: 'true' }, {}]) {
    assert.equal((await post(stranger, campaignPath(id), file, query)).status, 404);
    assert.equal(dataOf(await post(client, campaignPath(id), file, query)).added, 1);
  }
  assert.equal(await countOf(stranger), 0);
  assert.equal((await campaignContactsOf(client, id))[0]!['status'], 'pending');
  assert.equal(dataOf(await client.get(`/campaigns/${id}`))['status'], 'completed');
});

test('names lose the spaces around them, metadata and quoted texts do not', async () => {
  const client = await server.newOrganization();
  const rows = ['"  Anna",Berg ,\u00a0Öl & Söhne\t," 42 "', '"=""  Anna"""," ","\'\tx",'];
  await toContacts(client, ['first_name,last_name,company,size', ...rows].join('\n'));
  assert.deepEqual(
    (await contactsOf(client)).map((contact) => pick(contact, ['first_name', 'last_name', 'company', 'metadata'])),
    [
      { first_name: 'Anna', last_name: 'Berg', company: 'Öl & Söhne', metadata: { size: ' 42 ' } },
      { first_name: '  Anna', last_name: null, company: '\tx', metadata: {} },
    ],
  );
});

test('a column of tags goes to the metadata where there is no campaign', async () => {
  const client = await server.newOrganization();
  const data = await toContacts(client, 'phone,Tags\n+4930901820,vip\n');
  assert.equal(data.columns[1]!.to, 'metadata.Tags');
  const mapped = await toContacts(client, 'phone,Groups\n+4930901821,vip\n', { mapping: '{"Groups":"tags"}' });
  assert.equal(mapped.columns[1]!.to, 'metadata.tags');
});

test('a dry run writes nothing: no contact, no campaign contact, no entry of the audit log', async () => {
  const client = await server.newOrganization();
  const { id } = await aCampaign(client);
  const before = (await client.get<Data[]>('/audit')).body.meta.total;
  const answer = await post(client, campaignPath(id), 'phone\n+4930901820\n', { dry_run: 'true', ids: 'true' });
  const data = dataOf(answer);
  assert.deepEqual([data.created, data.added, data.contact_ids], [1, 1, null]);
  assert.match(answer.body.message, /^Nothing was written/);
  assert.deepEqual([await countOf(client), await campaignContactsOf(client, id)], [0, []]);
  assert.equal((await client.get<Data[]>('/audit')).body.meta.total, before);
});

/** Rows with few different phones and names, so that many share one: known, repeated, listed, opted out, invalid and empty ones. */
const anyRow = fc.record({
  phone: fc.oneof(
    { weight: 6, arbitrary: fc.integer({ min: 0, max: 9 }).map((digit) => `+493090182${digit}`) },
    { weight: 2, arbitrary: fc.integer({ min: 0, max: 9 }).map((digit) => `030 90182${digit}`) },
    fc.constantFrom('', 'x', '4.93E+9'),
  ),
  first_name: fc.constantFrom('', 'Ada', 'Bob'),
  email: fc.constantFrom('', '', 'a@example.com', 'nobody'),
  do_not_call: fc.constantFrom('', '', '', 'yes', 'no', 'perhaps'),
});

const anyCase = fc.record({
  rows: fc.array(anyRow, { maxLength: 25 }),
  known: fc.uniqueArray(fc.integer({ min: 0, max: 9 }), { maxLength: 4 }),
  optedOut: fc.boolean(),
  listed: fc.array(fc.integer({ min: 0, max: 9 }), { maxLength: 2 }),
  member: fc.option(fc.integer({ min: 0, max: 9 })),
  query: fc.record(
    {
      dedupe: fc.constantFrom('phone', 'none'),
      on_duplicate: fc.constantFrom('update', 'skip'),
      default_country: fc.constant('DE'),
    },
    { requiredKeys: [] },
  ),
  intoCampaign: fc.boolean(),
  filler: fc.constantFrom(0, 0, 600),
});

test('a dry run answers exactly what the import then does', async () => {
  const phoneOf = (digit: number): string => `+493090182${digit}`;
  await fc.assert(
    fc.asyncProperty(anyCase, async ({ rows, known, optedOut, listed, member, query, intoCampaign, filler }) => {
      const client = await server.newOrganization();
      for (const digit of known) await client.post('/contacts/', { phone: phoneOf(digit), do_not_call: optedOut });
      for (const digit of listed) await client.post('/do-not-call', { phone: phoneOf(digit) });
      const { id } = await aCampaign(client);
      if (member !== null) await client.post(`/campaigns/${id}/contacts`, { contacts: [{ phone: phoneOf(member) }] });
      const lines = rows.map((row) => Object.values(row).join(','));
      const more = Array.from({ length: filler }, (_, index) => `+4930${5_000_000 + index},,,`);
      // The rows stand on both sides of the filler, so that repetitions cross batches.
      const file = ['phone,first_name,email,do_not_call', ...lines, ...more, ...lines].join('\n');
      const path = intoCampaign ? campaignPath(id) : '/contacts/import';
      const before = await countOf(client);
      const foretold = dataOf(await post(client, path, file, { ...query, dry_run: 'true' }));
      assert.equal(await countOf(client), before);
      const done = dataOf(await post(client, path, file, query));
      assert.deepEqual({ ...done, import_id: null }, foretold);
      assert.equal((await countOf(client)) - before, done.created);
    }),
    { numRuns: propertyRuns({ few: 8, all: 25 }) },
  );
});

test('an Idempotency-Key imports a file into a campaign once', async () => {
  const client = await server.newOrganization();
  const { id } = await aCampaign(client);
  const send = (query: string) =>
    client.post<Imported>(`${campaignPath(id)}${query}`, 'phone\n+4930901820\n', {
      headers: { 'content-type': 'text/csv', 'idempotency-key': 'monday' },
    });
  const first = await send('?dedupe=none');
  const again = await send('?dedupe=none');
  assert.deepEqual([again.text, again.headers.get('idempotency-replayed')], [first.text, 'true']);
  assert.equal((await send('?dedupe=phone')).status, 422);
  assert.equal(await countOf(client), 1);
});

test('an import that fails halfway is in the audit log, and in the history of its campaign with the contacts that joined', async (t) => {
  const client = await server.newOrganization();
  const { id } = await aCampaign(client);
  const lines = Array.from({ length: 1500 }, (_, index) => `+4930${6_000_000 + index}\n`);
  const refused = '+493099887766';
  const endFault = await failOnInsert(t, server.running.app.db, {
    table: 'contacts',
    when: `NEW.phone = '${refused}'`,
  });
  const answers = [];
  for (const path of [campaignPath(id), '/contacts/import'])
    answers.push(await post(client, path, `phone\n${lines.join('')}${refused}\n`));
  await endFault();
  assert.deepEqual(
    answers.map(({ status }) => status),
    [500, 500],
  );
  const joined = (await client.get<Data[]>(`/campaigns/${id}/contacts`)).body.meta.total;
  assert.ok(joined > 0);
  const events = dataOf(await client.get<Array<Data & { type: string; added: number }>>(`/campaigns/${id}/events`));
  const added = events.filter(({ type }) => type === 'contacts_added');
  assert.deepEqual(
    added.map((event) => (event['detail'] as { added: number }).added),
    [joined],
  );
  const entries = dataOf(await client.get<Array<Data & { operation: string }>>('/audit'));
  const operations = entries.map(({ operation }) => operation);
  assert.deepEqual(operations.slice(0, 2), ['importContacts', 'importCampaignContacts']);
});

test('with cells=true the cells of rejected rows are answered as they are in the file', async () => {
  const client = await server.newOrganization();
  const csv = 'phone,first_name\nnot a number,"Ada, Countess"\n+4930901801,Grace\n1,2,3\n';
  const query = { cells: 'true', dry_run: 'true', strict: 'true' };
  const { rejected, ...rest } = await toContacts(client, csv, query);
  assert.deepEqual(
    rejected.map(({ row }) => row),
    [1, 3],
  );
  const { rejected_cells: cells } = rest as { rejected_cells?: string[][] };
  assert.deepEqual(cells, [
    ['not a number', 'Ada, Countess'],
    ['1', '2', '3'],
  ]);
  assert.ok(!('rejected_cells' in (await toContacts(client, csv))));
  const wide = 'x'.repeat(60_000);
  const large = `phone,first_name\n${`no,${wide}\n`.repeat(20)}`;
  const answer = (await toContacts(client, large, query)) as Imported & { rejected_cells: string[][] };
  assert.equal(answer.rejected_cells.filter(([, text]) => text === wide).length, 17, 'up to 1 MiB of characters');
  assert.deepEqual(answer.rejected_cells.slice(17), [[], [], []]);
});

test('with cells=true the first rows are answered as they will be stored, too', async () => {
  const client = await server.newOrganization();
  const campaign = await aCampaign(client);
  const rows = [
    'Name;Telefon;E-Mail;Team;Notiz;Kundennummer;id;constructor',
    ' Ada ;030 / 90 18 20;ada@example.com;north, vip;;="0017";7;',
    'Bob;030 901821;no address;;rings back;18;8;x',
    'Cy;none;cy@example.com;;;19;9;',
  ];
  const mapping = { Name: 'first_name', Telefon: 'phone', Team: 'tags', id: null };
  const query = { cells: 'true', dry_run: 'true', default_country: 'DE', mapping: JSON.stringify(mapping) };
  const answer = dataOf(await post(client, campaignPath(campaign.id), rows.join('\n'), query));
  const { stored_cells: stored } = answer as Imported & { stored_cells: unknown };
  assert.deepEqual(stored, [
    ['Ada', '+4930901820', 'ada@example.com', 'north, vip', null, '0017', null, null],
    ['Bob', '+4930901821', null, null, 'rings back', '18', null, 'x'],
    null,
  ]);
  assert.deepEqual(answer.sample[0]!.slice(0, 2), [' Ada ', '030 / 90 18 20']);
  const many = `phone,long\n${Array.from({ length: 20 }, (_, at) => `+49309018${10 + at},${'x'.repeat(900)}\n`).join('')}`;
  const long = (await toContacts(client, many, { cells: 'true' })) as Imported & { stored_cells: string[][] };
  assert.deepEqual(
    long.stored_cells.map(([, text]) => text!.length),
    Array.from({ length: 10 }, () => 200),
  );
  assert.ok(!('stored_cells' in (await toContacts(client, many))));
});

const fileOf = (client: Client, id: string | null, kind: 'rejected' | 'warnings') =>
  client.get(`/contacts/imports/${id}/${kind}`);

test('all rows that an import rejected can be downloaded for a day, in the columns of the file with the reason, and sent again', async () => {
  const client = await server.newOrganization();
  const bad = Array.from({ length: 1200 }, (_, index) => `no ${index},=Name ${index},"a, ""b"""`);
  const file = `Telefon,Vorname,Shoe size\n+4930901820,Ada,38\n${bad.join('\n')}\n`;
  const { id } = await aCampaign(client);
  const { import_id: importId, ...data } = dataOf(await post(client, campaignPath(id), file));
  assert.deepEqual([data.rejected.length, data.rejected_count, data.created], [1000, 1200, 1]);
  const { text, headers } = await fileOf(client, importId, 'rejected');
  assert.match(headers.get('content-disposition')!, /^attachment; filename=".*\.csv"$/);
  const lines = text.trimEnd().split('\r\n');
  assert.equal(lines.length, 1201);
  assert.equal(lines[0], 'Telefon,Vorname,Shoe size,reason');
  assert.match(lines[1200]!, /^no 1199,'=Name 1199,"a, ""b""","?phone must be/);
  const mended = text.replaceAll(/^no (\d+),/gm, (_, index: string) => `+4930${8_000_000 + Number(index)},`);
  const again = await post(client, campaignPath(id), mended, { mapping: '{"reason":null}' });
  assert.deepEqual([dataOf(again).added, dataOf(again).rejected_count], [1200, 0]);
  const newest = (await contactsOf(client)).find(({ phone }) => phone === '+49308001199')!;
  assert.deepEqual([newest['first_name'], newest['metadata']], ['=Name 1199', { 'Shoe size': 'a, "b"' }]);

  const other = await server.newOrganization();
  assert.equal((await fileOf(other, importId, 'rejected')).status, 404);
  await server.advance(86_400_000);
  assert.equal((await fileOf(client, importId, 'rejected')).status, 404);
  await server.advance(86_400_000);
  const { db } = server.running.app;
  const kept = await db.selectFrom('import_rows').select('row').where('import_id', '=', importId!).execute();
  assert.deepEqual(kept, []);
});

test('a workbook has the limit of other files, and a CSV one of its own', async () => {
  const small = await startTestServer({ settings: { 'http.body_limits.file': '20000' } });
  try {
    const rows = Array.from({ length: 3000 }, (_, n) => `Ada ${n},+49309${100_000 + n}\n`);
    const csv = `first_name,phone\n${rows.join('')}`;
    assert.ok(csv.length > 20_000);
    assert.equal(dataOf(await post(small, '/contacts/import', csv)).created, 3000);
    const cells = rows.map((row) => row.trim().split(','));
    const workbook = xlsxOf([{ name: 'People', rows: [['first_name', 'phone'], ...cells] }]);
    assert.ok(workbook.length > 20_000);
    for (const path of ['/contacts/import', '/do-not-call/import']) {
      const answer = await post(small, path, workbook, {}, sheetType);
      assert.deepEqual([answer.status, answer.body.code], [413, 'PAYLOAD_TOO_LARGE']);
      assert.match(answer.body.message, /larger than 20000 bytes.*CSV/);
    }
  } finally {
    await small.stop();
  }
});

test('the caller may choose the id of an import, once, and asks by it what was done, for a day', async () => {
  const client = await server.newOrganization();
  const importId = '019AC2A0-5555-7000-8000-0000000000AB';
  const progress = () => client.get(`/contacts/imports/${importId}`);
  assert.equal((await progress()).status, 404);
  const file = 'phone,email\n+4930901820,nobody\n1,2,3\n';
  assert.equal((await toContacts(client, file, { import_id: importId, dry_run: 'true' })).import_id, null);
  assert.equal((await progress()).status, 404);
  assert.equal((await toContacts(client, file, { import_id: importId })).import_id, importId.toLowerCase());
  const { started_at: startedAt, ended_at: endedAt, ...counts } = dataOf(await progress());
  assert.deepEqual(counts, {
    state: 'done',
    rows_read: 2,
    created: 1,
    updated: 0,
    rejected_count: 1,
    warning_count: 1,
  });
  assert.match(`${String(startedAt)} ${String(endedAt)}`, /^[\d-]+T[\d:.]+Z [\d-]+T[\d:.]+Z$/);

  const { id } = await aCampaign(client);
  for (const path of ['/contacts/import', campaignPath(id)]) {
    const again = await post(client, path, file, { import_id: importId });
    assert.deepEqual([again.status, again.body.code], [409, 'CONFLICT']);
  }
  assert.deepEqual(faultPaths(await post(client, '/contacts/import', file, { import_id: 'mine' })), ['import_id']);
  await server.advance(86_400_000);
  assert.equal((await progress()).status, 404);
});

test('the same import_id names another import in another organization', async () => {
  const importId = '019AC2A0-5555-7000-8000-0000000000AC';
  const [one, other] = [await server.newOrganization(), await server.newOrganization()];
  await toContacts(one, 'phone\n1\n', { import_id: importId });
  assert.equal((await other.get(`/contacts/imports/${importId}`)).status, 404);
  await toContacts(other, 'phone\n2\n3\n', { import_id: importId });
  const rejected = async (client: Client) => (await fileOf(client, importId, 'rejected')).text.match(/^\d/gm);
  assert.deepEqual([await rejected(one), await rejected(other)], [['1'], ['2', '3']]);
  const counts = async (client: Client) => dataOf(await client.get(`/contacts/imports/${importId}`))['rows_read'];
  assert.deepEqual([await counts(one), await counts(other)], [1, 2]);
});

test('rows with warnings can be downloaded apart, a row with too many cells keeps its reason in its column, and a dry run keeps nothing', async () => {
  const client = await server.newOrganization();
  const file = 'phone,email\n+4930901820,nobody\n1,2,3\n+4930901821,a@example.com\n';
  const { import_id: id } = await toContacts(client, file);
  assert.match(
    (await fileOf(client, id, 'warnings')).text,
    /^phone,email,reason\r\n\+4930901820,nobody,email must [^\r]*\r\n$/,
  );
  assert.equal(
    (await fileOf(client, id, 'rejected')).text,
    'phone,email,reason\r\n1,2,"The row has 3 cells, the header has 2",3\r\n',
  );
  assert.equal((await toContacts(client, file, { dry_run: 'true' })).import_id, null);
});
