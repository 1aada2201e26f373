import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Data, dataOf, startTestServer, type TestServer } from '../support/server.ts';
import { type Campaign, newCallingOrg } from '../http/calling-support.ts';

const rowCount = 5000;

/** Ways in which people write the number 30 <subscriber> of Germany. */
const ways: ReadonlyArray<(subscriber: string) => string> = [
  (subscriber) => `+49 30 ${subscriber}`,
  (subscriber) => `030/${subscriber.slice(0, 4)} ${subscriber.slice(4)}`,
  (subscriber) => `(030) ${subscriber.slice(0, 3)}-${subscriber.slice(3)}`,
  (subscriber) => `0049 (0)30 ${subscriber}`,
  (subscriber) => `"tel:+49-30-${subscriber}"`,
  (subscriber) => `'030${subscriber}`,
];

/** Outcomes of the simulated carrier by the last digits of a number. */
const outcomes = { '00': 'completed', '01': 'completed', '02': 'busy', '03': 'no_answer', '04': 'voicemail' } as const;
const endings = Object.keys(outcomes) as Array<keyof typeof outcomes>;

type Kind = 'called' | 'unreadable phone' | 'without phone' | 'repeated';

const kindOf = (row: number): Kind =>
  row % 50 === 7 ? 'unreadable phone' : row % 50 === 19 ? 'without phone' : row % 50 === 33 ? 'repeated' : 'called';

const endingOf = (row: number) => endings[row % endings.length]!;
const subscriberOf = (row: number): string => `${200_000 + row}${endingOf(row)}`;

function lineOf(row: number): string {
  const kind = kindOf(row);
  const subscriber = subscriberOf(kind === 'repeated' ? row - 1 : row);
  const way = ways[row % ways.length]!;
  const phone = {
    called: way(subscriber),
    repeated: way(subscriber),
    'unreadable phone': 'siehe Notiz',
    'without phone': '',
  }[kind];
  return [
    row % 5 === 0 ? `  Jürgen ${row} ` : `Jürgen ${row}`,
    'Weiß; "der Ältere"',
    phone,
    row % 3 === 0 ? `j${row}@example.com` : '',
    'Öl & Söhne',
    'Messe,warm',
  ]
    .map((cell) => (/[;"]/.test(cell) && !cell.startsWith('"') ? `"${cell.replaceAll('"', '""')}"` : cell))
    .join(';');
}

/** The last row with the same phone as a row: the next row, if that repeats the phone. */
const lastRowAbout = (row: number): number => (kindOf(row + 1) === 'repeated' ? row + 1 : row);

const rows = Array.from({ length: rowCount }, (_, index) => index + 1);
const rowsOf = (kind: Kind): number[] => rows.filter((row) => kindOf(row) === kind);

/** The file as a spreadsheet program on a German Windows exports it. */
const file = Buffer.from(
  ['sep=;', 'Vorname;Nachname;Telefon;E-Mail-Adresse;Firma;Schlagwörter', ...rows.map(lineOf), ''].join('\r\n'),
  'latin1',
);

type Imported = Data & {
  added: number;
  rejected: Array<{ row: number; reason: string }>;
  skipped: Array<{ row: number; reason: string }>;
  repeated: Array<{ row: number; first_row: number }>;
};

/** In steps of ten minutes, because a request that calls thousands of contacts could outlast a client's time-out on a slow machine. */
async function advanceHours(server: TestServer, hours: number): Promise<void> {
  for (let step = 0; step < hours * 6; step++) await server.advance(600_000);
}

// It places 7,500 calls, which take half a minute of processor time: ten times that on a slow machine.
test(
  'a sales day of 5,000 messy rows takes four requests: import, start, results, redial',
  { timeout: 900_000 },
  async (t) => {
    const server = await startTestServer();
    t.after(() => server.stop());
    const org = await newCallingOrg(server);
    const { client } = org;
    const { id } = await org.campaign({ maxCps: 10, schedule: { maxConcurrent: 100 } });

    const mapping = encodeURIComponent(JSON.stringify({ Schlagwörter: 'tags' }));
    const imported = dataOf(
      await client.post<Imported>(`/campaigns/${id}/contacts/import?default_country=de&mapping=${mapping}`, file, {
        headers: { 'content-type': 'text/csv' },
      }),
    );
    const called = rowsOf('called');
    assert.equal(imported.added, called.length);
    assert.deepEqual(
      imported.rejected.map(({ row }) => row),
      [...rowsOf('unreadable phone'), ...rowsOf('without phone')].toSorted((a, b) => a - b),
    );
    assert.deepEqual(
      imported.repeated.map(({ row, first_row: first }) => [row, first]),
      rowsOf('repeated').map((row) => [row, row - 1]),
    );
    assert.deepEqual(
      imported.skipped.map(({ row }) => row),
      rowsOf('repeated'),
    );

    assert.equal(dataOf(await client.patch<Campaign>(`/campaigns/${id}`, { status: 'active' })).status, 'active');
    await advanceHours(server, 2);
    const { status, contactStats } = await org.read(id);
    assert.equal(status, 'completed');
    const outcomeOf = (row: number) => outcomes[endingOf(row)];
    const completed = called.filter((row) => outcomeOf(row) === 'completed');
    assert.deepEqual(contactStats, {
      total: called.length,
      contacted: completed.length,
      successful: completed.filter((row) => endingOf(row) === '00').length,
      failed: 0,
      noAnswer: called.length - completed.length,
      pending: 0,
      inProgress: 0,
    });

    const results = (await client.get(`/campaigns/${id}/results?format=jsonl`)).text.trim().split('\n');
    const lines = results.map((line) => JSON.parse(line) as Record<string, unknown>);
    assert.deepEqual(
      lines.map(({ phone, status: outcome, first_name: name, tags }) => [phone, outcome, name, tags]),
      called.map((row) => [
        `+4930${subscriberOf(row)}`,
        outcomeOf(row),
        `Jürgen ${lastRowAbout(row)}`,
        ['Messe', 'warm'],
      ]),
    );

    const draft = dataOf(await client.post<Campaign>(`/campaigns/${id}/redial`));
    const unreached = called.filter((row) => outcomeOf(row) !== 'completed');
    assert.deepEqual(
      [draft.status, draft.contactStats.total, draft.contactStats.pending],
      ['draft', unreached.length, unreached.length],
    );
    const first = await org.contacts(draft.id);
    assert.deepEqual(
      first.map(({ phone, tags }) => [phone, tags]),
      unreached.slice(0, 500).map((row) => [`+4930${subscriberOf(row)}`, ['Messe', 'warm']]),
    );
    dataOf(await client.patch<Campaign>(`/campaigns/${draft.id}`, { status: 'active' }));
    await advanceHours(server, 2);
    const again = await org.read(draft.id);
    assert.deepEqual([again.status, again.contactStats.noAnswer], ['completed', unreached.length]);
    const { meta } = (await client.get(`/calls?campaign_id=${draft.id}&state=ended&limit=1`)).body;
    assert.equal(meta.total, unreached.length, 'each of them was called once');
  },
);
