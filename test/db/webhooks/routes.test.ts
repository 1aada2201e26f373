import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { installation, transact } from '../../../src/db/transaction.ts';
import { featureRoutes } from '../../../src/features/interface.ts';
import { createApiKey } from '../../../src/features/organizations/service.ts';
import { createHealth } from '../../../src/http/health.ts';
import { createHttpServer } from '../../../src/http/server.ts';
import type { Role } from '../../../src/kernel/route.ts';
import { type WebhookTest, startWebhookTest, startReceiver } from './support.ts';

type Answer = { status: number; body: { message: string; data: never; meta?: unknown; details?: unknown } };

/** Serves all routes on loopback and validates every response against its schema. */
async function serve(t: TestContext, env: WebhookTest) {
  const health = createHealth();
  health.set({ status: 'ready' });
  const server = createHttpServer(env.app, { routes: featureRoutes, health, checkAnswers: true });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  });
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1`;
  return async (role: Role, method: string, path: string, body?: unknown): Promise<Answer> => {
    const { apiKey } = await transact(env.app.db, installation, (tx) =>
      createApiKey(env.app, tx, env.orgId, { name: role, role }),
    );
    const response = await fetch(origin + path, {
      method,
      headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: (await response.json()) as Answer['body'] };
  };
}

test('endpoints and deliveries have the documented fields', async (t) => {
  const web = await startReceiver(t);
  const env = await startWebhookTest(t, [web.url()]);
  const call = await serve(t, env);
  web.answerWith({ status: 200, body: 'thanks' });
  await env.endCall();
  await env.settled();

  const endpoints = await call('viewer', 'GET', '/webhooks/endpoints/');
  assert.deepEqual(endpoints.body.meta, { total: 1, limit: 50, offset: 0 });
  const [endpoint] = endpoints.body.data as Array<Record<string, unknown>>;
  const { id: endpointId, ...rest } = endpoint!;
  assert.deepEqual(rest, {
    agent_id: env.agentId,
    agent_name: 'Robin',
    url: web.url(),
    status: 'delivering',
    failing_since: null,
    paused_at: null,
    pause_reason: null,
    last_error: null,
    failures: 0,
    next_attempt_at: null,
    last_delivered_at: '2026-03-02T09:00:00.000Z',
    held: 0,
    exhausted: 0,
    created_at: '2026-03-02T09:00:00.000Z',
    delivered_by_hour: [...Array.from({ length: 23 }, () => 0), 1],
  });

  const list = await call('viewer', 'GET', `/webhooks/deliveries?endpoint_id=${String(endpointId)}&status=delivered`);
  assert.deepEqual(list.body.meta, { total: 1, limit: 50, offset: 0 });
  const [delivery] = list.body.data as Array<Record<string, unknown> & { id: string }>;
  assert.deepEqual(delivery, {
    id: delivery!.id,
    event_id: web.ids()[0],
    endpoint_id: endpointId,
    agent_id: env.agentId,
    url: web.url(),
    event: 'call.completed',
    status: 'delivered',
    subject: null,
    attempt_count: 1,
    next_attempt_at: null,
    schedule: [],
    created_at: '2026-03-02T09:00:00.000Z',
    delivered_at: '2026-03-02T09:00:00.000Z',
  });

  const detail = await call('viewer', 'GET', `/webhooks/deliveries/${delivery.id}`);
  const { payload, attempts, ...same } = detail.body.data as Record<string, unknown>;
  assert.deepEqual(same, delivery);
  assert.deepEqual(payload, JSON.parse(web.seen[0]!.body));
  const [{ duration_ms: durationMs, request_headers: sent, response_headers: answered, ...attempt }] = attempts as [
    Record<string, unknown>,
  ];
  assert.equal(typeof durationMs, 'number');
  assert.equal((sent as Record<string, string>)['webhook-id'], delivery['event_id']);
  assert.equal(typeof answered, 'object');
  assert.deepEqual(attempt, {
    number: 1,
    at: '2026-03-02T09:00:00.000Z',
    status_code: 200,
    error: null,
    response_body: 'thanks',
  });

  const retried = await call('member', 'POST', `/webhooks/deliveries/${delivery.id}/retry`);
  assert.deepEqual([retried.status, (retried.body.data as Record<string, unknown>)['status']], [200, 'pending']);
  const tested = await call('member', 'POST', `/webhooks/endpoints/${String(endpointId)}/test`);
  assert.deepEqual([tested.status, (tested.body.data as Record<string, unknown>)['endpoint_id']], [200, endpointId]);
  const queued = await call('member', 'POST', `/webhooks/endpoints/${String(endpointId)}/retry-failed`, {
    since: '2026-03-01T00:00:00+01:00',
  });
  assert.deepEqual(queued.body.data, { queued: 0 });
  await env.settled();
});

test('faults are named, unknown ids are 404, and viewers cannot change anything', async (t) => {
  const env = await startWebhookTest(t, []);
  const call = await serve(t, env);
  const unknown = env.app.ids.make();
  const status = async (...request: Parameters<typeof call>): Promise<number> => (await call(...request)).status;

  const bad = await call('viewer', 'GET', '/webhooks/deliveries?endpoint_id=x&event_id=y&status=lost&limit=0');
  assert.equal(bad.status, 400);
  assert.deepEqual((bad.body.details as Array<{ path: string }>).map(({ path }) => path).toSorted(), [
    'endpoint_id',
    'event_id',
    'limit',
    'status',
  ]);
  assert.equal(await status('viewer', 'GET', `/webhooks/deliveries?endpoint_id=${unknown}`), 200);
  for (const id of [unknown, 'none']) {
    assert.equal(await status('viewer', 'GET', `/webhooks/deliveries/${id}`), 404);
    assert.equal(await status('member', 'POST', `/webhooks/deliveries/${id}/retry`), 404);
    assert.equal(await status('member', 'POST', `/webhooks/endpoints/${id}/retry-failed`), 404);
    assert.equal(await status('member', 'POST', `/webhooks/endpoints/${id}/test`), 404);
    assert.equal(await status('member', 'GET', `/agents/${id}/webhook-secret`), 404);
    assert.equal(await status('member', 'POST', `/agents/${id}/webhook-secret/rotate`), 404);
  }
  assert.equal(await status('viewer', 'POST', `/webhooks/deliveries/${unknown}/retry`), 403);
  assert.equal(await status('viewer', 'GET', `/agents/${env.agentId}/webhook-secret`), 403);
  assert.equal(await status('member', 'PATCH', '/organization', { name: 'x' }), 403);
  const reversed = { since: '2026-03-02T00:00:00Z', until: '2026-03-01T00:00:00Z' };
  assert.equal(await status('member', 'POST', `/webhooks/endpoints/${unknown}/retry-failed`, reversed), 400);
  assert.equal(await status('member', 'POST', `/webhooks/endpoints/${unknown}/retry-failed`, { since: 'now' }), 400);
});

test('a secret is created when it is first read, and rotated with or without an overlap', async (t) => {
  const env = await startWebhookTest(t, []);
  const call = await serve(t, env);
  const path = `/agents/${env.agentId}/webhook-secret`;
  const { secret } = (await call('member', 'GET', path)).body.data as { secret: string };
  assert.match(secret, /^whsec_/);
  assert.deepEqual((await call('member', 'GET', path)).body.data, { secret, previous_expires_at: null });
  const overlapping = await call('member', 'POST', `${path}/rotate`, { overlap_seconds: 60 });
  const rotated = overlapping.body.data as { secret: string; previous_expires_at: string | null };
  assert.equal(rotated.previous_expires_at, '2026-03-02T09:01:00.000Z');
  assert.notEqual(rotated.secret, secret);
  const immediate = await call('member', 'POST', `${path}/rotate`);
  assert.equal((immediate.body.data as { previous_expires_at: string | null }).previous_expires_at, null);
});

test('the organization has a name and notification addresses, and its notices are listed', async (t) => {
  const web = await startReceiver(t);
  const env = await startWebhookTest(t, [web.url()]);
  const call = await serve(t, env);
  const plain = {
    id: env.orgId,
    name: 'Example',
    notification_emails: [],
    contact_limits: { max_per_day: null, max_per_week: null, min_gap_min: null },
    guard_hours: null,
    timezone: 'UTC',
    version: 1,
    created_at: '2026-03-02T09:00:00.000Z',
  };
  assert.deepEqual((await call('viewer', 'GET', '/organization')).body.data, plain);
  const changes = { notification_emails: ['ops@example.com'] };
  assert.deepEqual((await call('admin', 'PATCH', '/organization', changes)).body.data, {
    ...plain,
    ...changes,
    version: 2,
  });
  assert.deepEqual((await call('admin', 'PATCH', '/organization', { name: 'New' })).body.data, {
    ...plain,
    ...changes,
    name: 'New',
    version: 3,
  });
  for (const body of [
    { notification_emails: ['ops'] },
    { notification_emails: ['a@env.cd', 'a@env.cd'] },
    { name: ' ' },
  ]) {
    assert.equal((await call('admin', 'PATCH', '/organization', body)).status, 400);
  }

  web.answerWith({ status: 410 });
  await env.endCall();
  await env.settled();
  const notices = await call('viewer', 'GET', '/notices');
  assert.deepEqual(notices.body.meta, { total: 1, limit: 50, offset: 0 });
  const [notice] = notices.body.data as Array<Record<string, unknown>>;
  assert.deepEqual(Object.keys(notice!), [
    'id',
    'kind',
    'subject',
    'body',
    'created_at',
    'sent_at',
    'last_error',
    'read_at',
  ]);
  assert.equal(notice!['subject'], 'Webhook deliveries of Robin are paused');
});
