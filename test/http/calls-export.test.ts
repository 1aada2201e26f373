import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { aPhone } from '../support/fixtures.ts';
import { type Data, dataOf, startTestServer } from '../support/server.ts';
import { newCallingOrg } from './calling-support.ts';

const server = await startTestServer();
after(() => server.stop());

/** A CSV without line breaks in its cells, as objects by the names of its columns. */
function rowsOf(text: string): Array<Record<string, string>> {
  const [head, ...lines] = text.trimEnd().split('\r\n');
  const cellsOf = (line: string) =>
    [...line.matchAll(/("(?:[^"]|"")*"|[^,]*)(?:,|$)/g)]
      .map(([, cell]) => cell!.replace(/^"|"$/g, '').replaceAll('""', '"'))
      .slice(0, head!.split(',').length);
  const names = cellsOf(head!);
  return lines.map((line) => Object.fromEntries(cellsOf(line).map((cell, index) => [names[index]!, cell])));
}

const columns =
  'call_id,call_session_id,campaign_id,contact_id,agent_id,agent_name,direction,phone,status,duration_sec,attempt,recording_url,' +
  'caller_number,callee_number,caller_name,caller_email,channel,disconnect_reason,cost_total,call_latency_ms,started_at,ended_at,' +
  'created_at,summary,disposition,sentiment,goals_met,agent_edition,campaign_name';

test('calls are exported with what came of them, newest first, in a column for each key of their metadata', async () => {
  const org = await newCallingOrg(server);
  const { client } = org;
  const phones = [aPhone('00'), aPhone('02')] as const;
  const { id: campaign } = await org.run([...phones], { name: '=Spring, "1"' });
  await server.advance(120_000);
  const call = dataOf(
    await client.post('/calls', {
      agent_id: org.agentId,
      from: org.phone,
      to: aPhone('01'),
      metadata: { ticket: '=1+1', nested: { a: 1 } },
    }),
  );
  await server.advance(120_000);
  const { status, headers, text } = await client.get('/calls/export');
  assert.equal(status, 200);
  assert.match(headers.get('content-type')!, /^text\/csv/);
  assert.match(headers.get('content-disposition')!, /^attachment; filename="calls-2026-\d\d-\d\d\.csv"$/);
  assert.equal(text.split('\r\n')[0], `${columns},metadata.ticket,metadata.nested`);
  const rows = rowsOf(text);
  assert.equal(rows.length, 3);
  const [newest, ...others] = rows;
  assert.equal(newest!['call_id'], call['call_id']);
  assert.deepEqual(
    [newest!['metadata.ticket'], newest!['metadata.nested'], newest!['campaign_name'], newest!['goals_met']],
    ["'=1+1", '{"a":1}', '', 'false'],
  );
  const listed = dataOf(await client.get<Data[]>('/calls'));
  for (const row of others) {
    const same = listed.find(({ call_id: id }) => id === row['call_id'])!;
    assert.deepEqual(
      [
        row['phone'],
        row['status'],
        row['duration_sec'],
        row['campaign_id'],
        row['campaign_name'],
        row['agent_edition'],
      ],
      [same['phone'], same['status'], String(same['duration_sec']), campaign, `'=Spring, "1"`, '1'],
    );
    assert.equal(row['created_at'], same['created_at']);
  }
  const met = others.find(({ status: ended }) => ended === 'completed')!;
  assert.deepEqual([met['disposition'], met['sentiment'], met['goals_met']], ['meeting_booked', 'positive', 'true']);
  const [entry] = dataOf(await client.get<Data[]>('/audit?operation=exportCalls&verb=read'));
  assert.ok(entry);
});

test('an export takes the filters of the list, and its times in a time zone', async () => {
  const org = await newCallingOrg(server);
  const { client } = org;
  const phones = [aPhone('00'), aPhone('02')] as const;
  await org.run([...phones]);
  await server.advance(120_000);
  const found = async (query: string) =>
    rowsOf((await client.get(`/calls/export?${query}`)).text).map((row) => row['phone']);
  assert.deepEqual(await found('status=busy'), [phones[1]]);
  assert.deepEqual(await found('goals_met=true'), [phones[0]]);
  const [{ created_at: created }] = dataOf(await client.get<[Data]>('/calls?status=busy'));
  const local = Temporal.Instant.from(String(created)).toZonedDateTimeISO('Asia/Kathmandu').toPlainDateTime();
  const bounds = (from: Temporal.PlainDateTime, to: Temporal.PlainDateTime) =>
    `status=busy&timezone=Asia/Kathmandu&from=${from.toString()}&to=${to.toString()}`;
  assert.deepEqual(await found(bounds(local, local.add({ seconds: 1 }))), [phones[1]]);
  assert.deepEqual(await found(bounds(local.add({ milliseconds: 1 }), local.add({ seconds: 1 }))), []);
  assert.deepEqual(await found(bounds(local.subtract({ seconds: 1 }), local)), []);
  assert.equal((await client.get('/calls/export?from=yesterday')).status, 400);
  assert.equal((await client.get('/calls/export?timezone=Mars')).status, 400);
  assert.equal((await client.get('/calls/export?limit=5')).status, 400);
});

test('more calls than fit on a page are exported once each', async () => {
  const org = await newCallingOrg(server);
  await org.run(
    Array.from({ length: 130 }, () => aPhone('02')),
    { schedule: { maxConcurrent: 1000 }, maxCps: 100 },
  );
  await server.advance(600_000);
  const ids = rowsOf((await org.client.get('/calls/export')).text).map((row) => row['call_id']);
  assert.equal(new Set(ids).size, 130);
  assert.equal(ids.length, 130);
});
