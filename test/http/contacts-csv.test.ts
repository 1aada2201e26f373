import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { aCampaign, aContact, aPhone } from '../support/fixtures.ts';
import { type Client, type Data, dataOf, faultPaths, type RequestOptions, startTestServer } from '../support/server.ts';

const server = await startTestServer();
after(() => server.stop());

type Imported = { created: number; updated: number; rejected: Array<{ row: number; reason: string }>; total: number };

const csv = { 'content-type': 'text/csv' };
const importInto = (client: Client, body: unknown, query = '', options: Omit<RequestOptions, 'body'> = {}) =>
  client.post<Imported>(`/contacts/import${query}`, body, { ...options, headers: { ...csv, ...options.headers } });
/** The counts in the answer to an import, without the answer's other fields. */
const numbersOf = ({ created, updated, rejected, total }: Imported): Imported => ({
  created,
  updated,
  rejected,
  total,
});
const importResult = async (client: Client, body: unknown, query = ''): Promise<Imported> =>
  numbersOf(dataOf(await importInto(client, body, query)));
const contactsOf = async (client: Client): Promise<Data[]> =>
  dataOf(await client.get<Data[]>('/contacts/?limit=500')).toReversed();
const countOf = async (client: Client): Promise<number> => (await client.get<Data[]>('/contacts/')).body.meta.total;

/** A chunked request body, whose length is unknown until it ends. */
const streamOf = (pieces: Iterable<string>): ReadableStream =>
  ReadableStream.from(
    (function* () {
      for (const piece of pieces) yield Buffer.from(piece);
    })(),
  );

test('a file creates contacts; columns that are not contact fields go into the metadata', async () => {
  const client = await server.newOrganization();
  const file =
    'First Name,lastName,EMAIL,phone,company,timezone,do_not_call,Customer No,note\r\n' +
    'Zoë,"O""Brien",zoe@example.com,+4930901820,"Ünï, Söhne\nGmbH",Asia/Kathmandu,yes,0042,\r\n' +
    ',,,+4930901821,,,,,vip\r\n';
  const answer = await importInto(client, file);
  assert.deepEqual(numbersOf(dataOf(answer)), { created: 2, updated: 0, rejected: [], total: 2 });
  assert.equal(answer.body.message, 'Contacts imported: 2 created, 0 updated, 0 rejected.');
  const [first, second] = await contactsOf(client);
  assert.deepEqual(first, {
    id: first!.id,
    first_name: 'Zoë',
    last_name: 'O"Brien',
    email: 'zoe@example.com',
    phone: '+4930901820',
    company: 'Ünï, Söhne\nGmbH',
    metadata: { 'Customer No': '0042' },
    timezone: 'Asia/Kathmandu',
    do_not_call: true,
    do_not_call_state: {
      may_be_called: false,
      on_list: false,
      opted_out: true,
      since: '2026-03-02T09:00:00.000Z',
      reason: null,
      by: null,
    },
    version: 1,
    created_at: '2026-03-02T09:00:00.000Z',
    updated_at: '2026-03-02T09:00:00.000Z',
  });
  assert.deepEqual(
    [second!['first_name'], second!['do_not_call'], second!['metadata']],
    [null, false, { note: 'vip' }],
  );
  assert.equal((await client.get<Data[]>('/contacts/?q=brien')).body.meta.total, 1, 'imported contacts are searchable');
});

test('a row updates the contact with the same phone, including one that an earlier row created', async () => {
  const client = await server.newOrganization();
  const phone = aPhone();
  const old = await aContact(client, { phone, first_name: 'Ada', company: 'Old', metadata: { keep: [1], plan: 'a' } });
  const file = `phone,first_name,company,plan\n${phone},,New,b\n+4930901823,Bob,,\n+4930901823,,Bobs,c\n`;
  assert.deepEqual(await importResult(client, file), { created: 1, updated: 2, rejected: [], total: 3 });
  const [ada, bob] = await contactsOf(client);
  assert.deepEqual([ada!.id, ada!['first_name'], ada!['company']], [old.id, 'Ada', 'New']);
  assert.deepEqual(ada!['metadata'], { keep: [1], plan: 'b' });
  assert.deepEqual([bob!['first_name'], bob!['company'], bob!['metadata']], ['Bob', 'Bobs', { plan: 'c' }]);
  assert.deepEqual(await importResult(client, file, '?dedupe=phone'), {
    created: 0,
    updated: 3,
    rejected: [],
    total: 3,
  });
  assert.deepEqual(await importResult(client, file, '?dedupe=none'), {
    created: 3,
    updated: 0,
    rejected: [],
    total: 3,
  });
  assert.equal(await countOf(client), 5);
  assert.deepEqual(faultPaths(await importInto(client, file, '?dedupe=email')), ['dedupe']);
});

test('with strict=true every invalid row is reported with its reasons, and the others are imported', async () => {
  const client = await server.newOrganization();
  const rows = [
    '+4930901820,a@example.com,Europe/Berlin,no,fine',
    '030 901820,a@example.com,,,',
    '+4930901822,nobody,Mars/Olympus,maybe,',
    '+4930901823,,,',
    '+4930901824,,,,,',
    ',,,,',
    `+4930901826,,,,${'x'.repeat(201)}`,
    '+4930901827,,,,a\u0000b',
    '',
    '+4930901828,,,,last',
  ];
  const { created, updated, rejected, total } = await importResult(
    client,
    `phone,email,timezone,do_not_call,company\n${rows.join('\n')}\n`,
    '?strict=true',
  );
  assert.deepEqual({ created, updated, total }, { created: 2, updated: 0, total: 9 });
  const reasons = Object.fromEntries(rejected.map(({ row, reason }) => [row, reason]));
  assert.deepEqual(Object.keys(reasons), ['2', '3', '4', '5', '6', '7', '8']);
  assert.match(reasons[2]!, /^phone must be a telephone number in E.164 form/);
  assert.match(reasons[3]!, /email must be an e-mail address/);
  assert.match(reasons[3]!, /timezone must be an IANA time zone/);
  assert.match(reasons[3]!, /do_not_call must be true or false/);
  assert.equal(reasons[4], 'The row has 4 cells, the header has 5');
  assert.equal(reasons[5], 'The row has 6 cells, the header has 5');
  assert.equal(reasons[6], 'The row is empty');
  assert.equal(reasons[7], 'company must have at most 200 characters');
  assert.equal(reasons[8], 'company must not contain the NUL character');
  assert.deepEqual(
    (await contactsOf(client)).map((contact) => contact['company']),
    ['fine', 'last'],
  );
});

test('the first thousand rejections are listed, and all of them are counted', async () => {
  const client = await server.newOrganization();
  const answer = await importInto(client, `phone\n+4930901820\n${'1\n'.repeat(1234)}+4930901821\n`);
  const { created, rejected, total } = dataOf(answer);
  assert.deepEqual([created, total, rejected.length, rejected.at(-1)!.row], [2, 1236, 1000, 1001]);
  assert.match(answer.body.message, /1234 rejected, of which the first 1000 are listed/);
});

test('a file that is empty, has no header or is not text is a 400 and imports nothing', async () => {
  const client = await server.newOrganization();
  for (const body of ['', '\n', '+4930901820\n', 'phone,phone\n1,2\n', '"phone\n', `phone,${'x'.repeat(40_000)}\n`]) {
    assert.deepEqual(faultPaths(await importInto(client, body)), ['']);
  }
  assert.deepEqual(faultPaths(await client.request('POST', '/contacts/import')), [''], 'no body at all');
  const rows = Array.from({ length: 2000 }, (_, index) => `+49309${10_000 + index}\n`).join('');
  for (const bytes of [Buffer.from([0xe9, 0x0a]), Buffer.from([0xc3])]) {
    const file = Buffer.concat([Buffer.from(`phone\n${rows}`), bytes]);
    const answer = await importInto(client, file);
    assert.deepEqual(faultPaths(answer), ['']);
    assert.match(answer.body.message, /not UTF-8/);
  }
  assert.equal(await countOf(client), 0);
  assert.deepEqual(await importResult(client, 'phone\n'), { created: 0, updated: 0, rejected: [], total: 0 });
});

test('any content type other than text/csv and multipart/form-data is a 415', async () => {
  for (const type of [
    'application/json',
    'text/plain',
    'application/octet-stream',
    'multipart/mixed; boundary=x',
    'x',
  ]) {
    const answer = await importInto(server, 'phone\n', '', { headers: { 'content-type': type } });
    assert.deepEqual([answer.status, answer.body.code], [415, 'UNSUPPORTED_MEDIA_TYPE'], type);
  }
  const utf8 = await importInto(server, 'phone\n', '', {
    headers: { 'content-type': 'Text/CSV; charset=utf-8; header=present' },
  });
  assert.equal(utf8.status, 200);
});

function formOf(parts: ReadonlyArray<readonly [name: string, content: string | Blob]>): FormData {
  const form = new FormData();
  for (const [name, content] of parts) form.append(name, content);
  return form;
}

const fileOf = (text: string) => new File([text], 'contacts.csv', { type: 'application/vnd.ms-excel' });
const upload = (client: Client, parts: Parameters<typeof formOf>[0]) =>
  client.post<Imported>('/contacts/import', formOf(parts));

test('a multipart form with the single part "file" is imported like a plain file', async () => {
  const client = await server.newOrganization();
  const many = `phone\n${Array.from({ length: 20_000 }, (_, index) => `+4930${1_000_000 + index}\n`).join('')}`;
  assert.deepEqual(numbersOf(dataOf(await upload(client, [['file', fileOf(many)]]))), {
    created: 20_000,
    updated: 0,
    rejected: [],
    total: 20_000,
  });
  assert.equal(
    dataOf(await upload(client, [['file', 'phone\n+4930901820\n']])).created,
    1,
    'a part without content type',
  );
  assert.deepEqual(faultPaths(await upload(client, [])), ['file']);
  assert.deepEqual(faultPaths(await upload(client, [['upload', fileOf(many)]])), ['file', 'upload']);
  assert.deepEqual(
    faultPaths(
      await upload(client, [
        ['file', fileOf('phone\n')],
        ['x', 'y'],
      ]),
    ),
    ['x'],
  );
  assert.deepEqual(
    faultPaths(
      await upload(client, [
        ['file', fileOf('phone\n')],
        ['file', fileOf('phone\n')],
      ]),
    ),
    ['file'],
  );
  assert.deepEqual(faultPaths(await upload(client, [['file', fileOf('')]])), ['']);
  for (const [type, body] of [
    ['multipart/form-data', 'phone\n1\n'],
    ['multipart/form-data; boundary=x', 'phone\n1\n'],
    ['multipart/form-data; boundary=x', '--x\r\nContent-Disposition: form-data; name="file"\r\n\r\nphone\n1\n'],
  ] as const) {
    assert.deepEqual(faultPaths(await importInto(client, body, '', { headers: { 'content-type': type } })), ['']);
  }
  assert.equal(await countOf(client), 20_001);
});

test('a file over the size limit is a 413 as soon as the limit is exceeded, and imports nothing', async () => {
  const small = await startTestServer({ settings: { 'http.body_limits.import': '100000' } });
  try {
    const row = '+4930901820\n';
    const fitting = `phone\n${row.repeat(8000)}`;
    assert.equal(dataOf(await importInto(small, streamOf([fitting]))).total, 8000);
    assert.equal(dataOf(await upload(small, [['file', fileOf(fitting)]])).total, 8000);
    const large = `phone\n+4930901821\n${row.repeat(9000)}`;
    let sent = 0;
    const endless = (function* () {
      for (; sent < 100_000; sent += 1) yield large;
    })();
    const boundary = { 'content-type': 'multipart/form-data; boundary=x' };
    const opening = '--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\nX-Padding: ';
    for (const answer of [
      await importInto(small, large),
      await importInto(small, streamOf([large])),
      await upload(small, [['file', fileOf(large)]]),
      await importInto(small, streamOf([`${opening}\r\n\r\n`, large, '\r\n--x--\r\n']), '', { headers: boundary }),
      await importInto(small, streamOf([opening, 'x'.repeat(200_000)]), '', { headers: boundary }),
    ]) {
      assert.deepEqual([answer.status, answer.body.code], [413, 'PAYLOAD_TOO_LARGE'], answer.text);
      assert.match(answer.body.message, /100000 bytes/);
    }
    const unending = await importInto(small, streamOf(endless)).catch(() => undefined);
    assert.equal(unending?.status ?? 413, 413);
    assert.equal(await countOf(small), 1);
  } finally {
    await small.stop();
  }
});

test('a viewer may export but not import, and organizations do not see each other’s contacts', async () => {
  const other = await server.newOrganization();
  const phone = aPhone();
  const theirs = await aContact(other, { phone, first_name: 'Theirs' });
  const viewer = await server.keyWithRole('viewer');
  assert.equal((await importInto(server, 'phone\n', '', { key: viewer })).status, 403);
  assert.equal((await server.get('/contacts/export', { key: viewer })).status, 200);
  assert.equal((await server.get('/contacts/export', { key: null })).status, 401);
  assert.equal((await importResult(server, `phone,first_name\n${phone},Ours\n`)).created, 1);
  assert.equal(dataOf(await other.get(`/contacts/${theirs.id}`))['first_name'], 'Theirs');
  const [ours, foreign] = [await server.get('/contacts/export'), await other.get('/contacts/export')];
  assert.ok(ours.text.includes('Ours') && !ours.text.includes(theirs.id));
  assert.equal(foreign.text.trimEnd().split('\r\n').length, 2);
});

test('an import updates the contacts of campaigns', async () => {
  const client = await server.newOrganization();
  const { id } = await aCampaign(client);
  const contact = await aContact(client, { phone: '+4930901820', first_name: 'Ada' });
  dataOf(await client.post(`/campaigns/${id}/contacts`, { contact_ids: [contact.id] }));
  await importResult(client, 'phone,first_name,last_name\n+4930901820,Ada,\n+4930901820,,Byron\n');
  const [campaignContact] = dataOf(await client.get<Data[]>(`/campaigns/${id}/contacts`));
  assert.equal(campaignContact!['name'], 'Ada Byron');
});

test('an Idempotency-Key imports a file once', async () => {
  const client = await server.newOrganization();
  const post = (body: unknown) =>
    importInto(client, body, '?dedupe=none', { headers: { 'idempotency-key': 'monday' } });
  const first = await post('phone\n+4930901820\n');
  const again = await post(streamOf(['phone\n', '+4930901820\n']));
  assert.deepEqual([again.text, again.headers.get('idempotency-replayed')], [first.text, 'true']);
  assert.equal((await post('phone\n+4930901821\n')).status, 422);
  assert.equal(await countOf(client), 1);
});

test('an export has a header, one line per contact oldest first, and no cell that a spreadsheet would run', async () => {
  const client = await server.newOrganization();
  const one = await aContact(client, {
    first_name: '=cmd()',
    last_name: '-x',
    phone: '+4930901820',
    company: 'A, "B"\nC',
    metadata: { formula: '=1', plan: 'gold' },
  });
  const two = await client.post('/contacts/', { company: '+49 30' });
  const { text, headers } = await client.get('/contacts/export');
  const at = '2026-03-02T09:00:00.000Z';
  assert.equal(
    text,
    'id,first_name,last_name,email,phone,company,metadata,timezone,do_not_call,created_at,updated_at\r\n' +
      `${one.id},'=cmd(),'-x,,+4930901820,"A, ""B""\nC","{""formula"":""=1"",""plan"":""gold""}",,false,${at},${at}\r\n` +
      `${dataOf(two).id},,,,,'+49 30,{},,false,${at},${at}\r\n`,
  );
  assert.equal(headers.get('content-type'), 'text/csv; charset=utf-8');
  assert.equal(headers.get('content-disposition'), 'attachment; filename="contacts-2026-03-02.csv"');
  assert.equal((await (await server.newOrganization()).get('/contacts/export')).text.split('\r\n').length, 2);
  assert.deepEqual(faultPaths(await client.get('/contacts/export?format=xlsx')), ['format']);
});

test('importing an export reproduces every contact, with metadata byte for byte', async () => {
  const [from, into] = [await server.newOrganization(), await server.newOrganization()];
  const odd = ["'=x", "''", '@', '\tx', '=1+1', '"', 'a\r\nb', '🦜', ';', 'null', 'a\ufeffb'];
  for (const [index, text] of odd.entries()) {
    await aContact(from, {
      first_name: text,
      company: text,
      last_name: index % 2 ? null : 'L',
      do_not_call: index === 3,
    });
  }
  await from.post(
    '/contacts/',
    '{"email":"a@example.com","metadata":{"n":1.0,"big":12345678901234567890,"__proto__":{"a":[null]}},"timezone":"UTC"}',
  );
  const filler = Array.from({ length: 450 }, (_, index) => `+4930${2_000_000 + index},Filler ${index}\n`).join('');
  await importResult(from, `phone,company\n${filler}`);
  const file = (await from.get('/contacts/export')).text;
  const total = await countOf(from);
  assert.deepEqual(await importResult(into, file), { created: total, updated: 0, rejected: [], total });
  const withoutIds = (text: string) => text.replaceAll(/^[0-9a-f-]{36},/gm, '');
  assert.equal(withoutIds((await into.get('/contacts/export')).text), withoutIds(file));
  assert.deepEqual(await importResult(from, file, '?dedupe=phone'), {
    created: 1,
    updated: total - 1,
    rejected: [],
    total,
  });
});
