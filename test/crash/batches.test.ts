import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import Sqlite from 'better-sqlite3';
import { maxBatchRows } from '../../src/kernel/batch-size.ts';
import { aPhone } from '../support/fixtures.ts';
import { inspect } from './invariants.ts';
import { apiKey, createKillableServer, type KillableServer } from './server.ts';
import { until, within } from './waiting.ts';

/** Long enough for every batch on a very busy machine. */
const limitMs = 60_000;

type Send = <D>(method: string, path: string, body?: object) => Promise<D>;

/** A server on a directory of its own, and a function that sends requests to its present process. */
function killableServer(t: TestContext, settings: Record<string, string> = {}): { server: KillableServer; send: Send } {
  const directory = mkdtempSync(join(tmpdir(), 'parley-crash-'));
  const server = createKillableServer(directory, settings);
  t.after(async () => {
    await server.kill();
    rmSync(directory, { recursive: true, force: true });
  });
  const send = async <D>(method: string, path: string, body?: object): Promise<D> => {
    const { url } = await server.address();
    const response = await fetch(`${url}/api/v1${path}`, {
      method,
      headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    assert.equal(response.status, 200, text);
    return (JSON.parse(text) as { data: D }).data;
  };
  return { server, send };
}

/** Counts rows in the database of a server that does not run. */
function count(server: KillableServer, query: string): number {
  const database = new Sqlite(join(server.data, 'parley.db'), { readonly: true });
  try {
    return database.prepare(query).pluck().get() as number;
  } finally {
    database.close();
  }
}

/** Resolves when a server has no campaign to remove any more. Its file says nothing: only the server's own process can read it. */
const untilRemoved = (server: KillableServer): Promise<void> =>
  until(limitMs, 'the campaign is removed', async () => {
    const { url } = await server.address();
    const response = await fetch(`${url}/metrics`, { headers: { 'x-api-key': apiKey } });
    const metrics = await response.text();
    assert.equal(response.status, 200, metrics);
    return !metrics.includes('parley_jobs_waiting{kind="campaign.remove"}');
  });

test('SIGKILL: of a redial that was filling its draft nothing stays', async (t) => {
  const { server, send } = killableServer(t);
  await server.start({ crashAt: 'redial.batch:2' });
  const { id } = await send<{ id: string }>('POST', '/campaigns/', { name: 'Spring' });
  const contacts = Array.from({ length: 900 }, () => ({ phone: aPhone() }));
  await send('POST', `/campaigns/${id}/contacts`, { contacts });
  await send('PATCH', `/campaigns/${id}`, { status: 'completed' });
  await assert.rejects(send('POST', `/campaigns/${id}/redial`, {}), /fetch failed/);
  await within(limitMs, 'the crash', server.gone());
  assert.equal(count(server, 'SELECT count(*) FROM campaigns'), 2);

  await server.start();
  assert.equal((await send<object[]>('GET', '/campaigns/')).length, 1);
  await untilRemoved(server);
  await server.stop();
  assert.equal(count(server, 'SELECT count(*) FROM campaigns'), 1);
  assert.equal(count(server, 'SELECT count(*) FROM campaign_contacts'), 900);
  inspect(server.data, { simulated: true, written: [] });
});

for (const [crashAt, joined] of [
  ['join.stored:3', 0],
  ['join.decided', 900],
] as const) {
  test(`SIGKILL: of many contacts for a campaign ${joined} have joined after a crash at ${crashAt}`, async (t) => {
    const { server, send } = killableServer(t);
    await server.start({ crashAt });
    const { id } = await send<{ id: string }>('POST', '/campaigns/', { name: 'Spring' });
    const contacts = Array.from({ length: 900 }, () => ({ phone: aPhone() }));
    await assert.rejects(send('POST', `/campaigns/${id}/contacts`, { contacts }), /fetch failed/);
    await within(limitMs, 'the crash', server.gone());

    await server.start();
    const path = `/campaigns/${id}`;
    await until(limitMs, 'the contacts', async () => {
      const { contactStats } = await send<{ contactStats: { total: number } }>('GET', path);
      return contactStats.total === joined;
    });
    await server.stop();
    assert.equal(count(server, 'SELECT count(*) FROM campaign_contacts'), joined);
    assert.equal(count(server, 'SELECT count(*) FROM contacts'), joined);
    assert.equal(
      count(server, "SELECT count(*) FROM audit_log WHERE operation = 'addCampaignContacts'"),
      Number(joined > 0),
    );
    inspect(server.data, { simulated: true, written: [] });
  });
}

test('SIGKILL: the deletion of a campaign goes on where it was interrupted, before or after a commit', async (t) => {
  const { server, send } = killableServer(t);
  const rows = 'SELECT count(*) FROM campaign_contacts';
  await server.start({ crashAt: 'batch.committed:2' });
  const { id } = await send<{ id: string }>('POST', '/campaigns/', { name: 'Doomed' });
  const contacts = Array.from({ length: 900 }, () => ({ phone: aPhone() }));
  await send('POST', `/campaigns/${id}/contacts`, { contacts });
  await send('DELETE', `/campaigns/${id}`);
  await within(limitMs, 'the crash after a commit', server.gone());
  // The first batch of a process has `maxBatchRows` rows; those after it have fewer if it was slow.
  const left = count(server, rows);
  assert.ok(left < 900 - maxBatchRows && left >= 900 - 2 * maxBatchRows, `${left} rows are left`);
  inspect(server.data, { simulated: true, written: [] });

  await server.start({ crashAt: 'batch.uncommitted:2' });
  await within(limitMs, 'the crash before a commit', server.gone());
  assert.equal(count(server, rows), left - maxBatchRows);

  await server.start();
  await untilRemoved(server);
  await server.stop();
  assert.equal(count(server, rows), 0);
  assert.equal(count(server, 'SELECT count(*) FROM campaigns'), 0);
  assert.equal(count(server, 'SELECT count(*) FROM contacts'), 900);
  inspect(server.data, { simulated: true, written: [] });
});

/** Gives the only endpoint of a server that does not run a backlog of held deliveries. Returns the ids of their events in order. */
function holdDeliveries(server: KillableServer, length: number): string[] {
  const database = new Sqlite(join(server.data, 'parley.db'));
  try {
    const {
      id,
      organization_id: orgId,
      agent_id: agentId,
    } = database.prepare('SELECT id, organization_id, agent_id FROM webhook_endpoints').get() as {
      id: string;
      organization_id: string;
      agent_id: string;
    };
    const event = database.prepare(
      `INSERT INTO webhook_events (id, organization_id, agent_id, event, body, subject, created_at)
       VALUES (?, ?, ?, 'call.completed', '{}', NULL, 1)`,
    );
    const delivery = database.prepare(
      `INSERT INTO webhook_deliveries (id, organization_id, event_id, endpoint_id, status, created_at)
       VALUES (?, ?, ?, ?, 'held', 1)`,
    );
    database
      .prepare(`UPDATE webhook_endpoints SET status = 'failing', failing_since = 1, held = ? WHERE id = ?`)
      .run(length, id);
    return Array.from({ length }, (_, index) => {
      const eventId = `event-${String(index).padStart(6, '0')}`;
      event.run(eventId, orgId, agentId);
      delivery.run(`delivery-${String(index).padStart(6, '0')}`, orgId, eventId, id);
      return eventId;
    });
  } finally {
    database.close();
  }
}

test('SIGKILL: an endpoint that recovers gets its whole backlog, oldest first, although the release is interrupted', async (t) => {
  const seen = new Set<string>();
  const receiver = createServer((request, response) => {
    seen.add(String(request.headers['webhook-id']));
    request.resume().on('end', () => response.end());
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  t.after(() => receiver.close().closeAllConnections());
  const { server, send } = killableServer(t, {
    'webhooks.allow_http_loopback': 'true',
    'webhooks.max_in_flight_per_endpoint': '1',
  });
  await server.start();
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
  type Models = Array<{ llmModel: string; voices: Array<{ id: string }> }>;
  const [model] = await send<Models>('GET', '/available-llm-models/with-voices');
  const agent = { agentName: 'Robin', model: model!.llmModel, voiceId: model!.voices[0]!.id, webhook_url: url };
  const { id } = await send<{ id: string }>('POST', '/agents/', agent);
  await server.stop();
  const events = holdDeliveries(server, 700);

  await server.start({ crashAt: 'batch.committed:1' });
  await assert.doesNotReject(send('PUT', `/agents/${id}`, { webhook_url: url }));
  await within(limitMs, 'the first crash', server.gone());
  assert.ok(count(server, `SELECT count(*) FROM webhook_deliveries WHERE status = 'held'`) >= 300);
  await server.start({ crashAt: 'batch.uncommitted:1' });
  await within(limitMs, 'the second crash', server.gone());
  await server.start();
  await until(limitMs, 'everything has arrived', () => Promise.resolve(seen.size === events.length));
  assert.deepEqual([...seen], events);
});
