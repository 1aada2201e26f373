import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { xlsxOf } from '../support/documents/office.ts';
import { type Client, type Data, dataOf, faultPaths, startTestServer } from '../support/server.ts';

const server = await startTestServer();
after(() => server.stop());

type Imported = {
  added: number;
  already: number;
  rejected: Array<{ row: number; reason: string }>;
  rejected_count: number;
};

const send = (client: Client, file: string | Buffer, query = '') =>
  client.post<Imported>(`/do-not-call/import${query}`, file, { headers: { 'content-type': 'text/csv' } });
const listed = async (client: Client): Promise<string[]> =>
  dataOf(await client.get<Array<Data & { phone: string }>>('/do-not-call')).map(({ phone }) => phone);

test("a company's blocking list with national numbers is added to the do-not-call list", async () => {
  const client = await server.newOrganization();
  dataOf(await client.post('/do-not-call', { phone: '+4930901821' }));
  const file =
    'Kundennummer;Telefon;Mobil;Name\n' +
    '0309999990;030 901820;0171 2345678;Ada\n' +
    '2;+49 30 901821;;Bob\n' +
    '3;(030) 901820;;Ada again\n' +
    '4;keine;;Eve\n' +
    '5;;;Zoe\n';
  const answer = await send(client, file, '?default_country=de&reason=Sperrliste');
  const { rejected, ...counts } = dataOf(answer);
  assert.deepEqual(counts, { added: 2, already: 2, rejected_count: 2 });
  assert.deepEqual(
    rejected.map(({ row }) => row),
    [4, 5],
  );
  assert.match(rejected[0]!.reason, /has no phone that can be read: it must be a telephone number/);
  assert.match(answer.body.message, /2 phone numbers added, 2 were on the list already, 2 rows rejected/);
  assert.deepEqual((await listed(client)).toSorted(), ['+491712345678', '+4930901820', '+4930901821']);
  const [entry] = dataOf(await client.get<Data[]>('/do-not-call?q=1712345678'));
  assert.equal(entry!['reason'], 'Sperrliste');
});

test('a list without a header, one under any header, and a workbook are read', async () => {
  const client = await server.newOrganization();
  assert.deepEqual(dataOf(await send(client, '+4930901820\n+4930901821\nx\n')).rejected, [
    { row: 3, reason: dataOf(await send(client, 'x\ny\n')).rejected[0]!.reason.replace('row 1', 'row 3') },
  ]);
  assert.equal((await listed(client)).length, 2);
  assert.equal(dataOf(await send(client, 'gesperrt\n030901822\n', '?default_country=DE')).added, 1);
  const workbook = xlsxOf([
    {
      name: 'S',
      rows: [
        ['Name', 'Phone number'],
        ['Ada', '+4930901823'],
      ],
    },
  ]);
  assert.equal(dataOf(await send(client, workbook)).added, 1);
  assert.equal((await listed(client)).length, 4);
});

test('a file in which nothing says which column has phones is a 400 and adds nothing', async () => {
  const client = await server.newOrganization();
  const answer = await send(client, 'a,b\n1,+4930901820\n');
  assert.deepEqual(faultPaths(answer), ['']);
  assert.match(answer.body.message, /No column has phone numbers/);
  assert.deepEqual(faultPaths(await send(client, '')), ['']);
  assert.deepEqual(faultPaths(await send(client, '+4930901820\n', '?default_country=XX')), ['default_country']);
  assert.deepEqual(await listed(client), []);
});
