import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { render } from '../../src/http/metrics.ts';
import { aContact, aPhone, anAgent, aNumber } from '../support/fixtures.ts';
import { dataOf, startTestServer, type TestServer } from '../support/server.ts';
import { onSqlite, sqliteAlone } from '../support/store.ts';
import { aReceiver } from './calling-support.ts';

const token = 'scrape-me-if-you-can';

suite('/metrics', () => {
  let server: TestServer;
  before(async () => {
    server = await startTestServer({ settings: { 'metrics.token': token, 'webhooks.allow_http_loopback': 'true' } });
  });
  after(() => server.stop());

  const ask = (headers: Record<string, string> = { authorization: `Bearer ${token}` }) =>
    fetch(`${server.url}/metrics`, { headers });
  const scrape = async (): Promise<Map<string, number>> => {
    const lines = (await (await ask()).text()).split('\n').filter((line) => line !== '' && !line.startsWith('#'));
    return new Map(
      lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ')))]),
    );
  };

  test('is readable by admins and with the configured token', async () => {
    const viewer = await server.keyWithRole('viewer');
    assert.equal((await ask()).status, 200);
    assert.equal((await ask({ 'x-api-key': server.apiKey })).status, 200);
    assert.equal((await ask({ authorization: `Bearer ${server.accessToken}` })).status, 200);
    assert.equal((await ask({ 'x-api-key': viewer })).status, 403);
    assert.equal((await ask({})).status, 401);
    assert.equal((await ask({ authorization: `Bearer ${token}x` })).status, 401);
    assert.equal((await ask({ 'x-api-key': token })).status, 401);
    assert.equal(
      (await fetch(`${server.url}/api/v1/contacts`, { headers: { authorization: `Bearer ${token}` } })).status,
      401,
    );
  });

  test('is Prometheus text in which every sample follows its help and type', async () => {
    const answer = await ask();
    assert.equal(answer.headers.get('content-type'), 'text/plain; version=0.0.4; charset=utf-8');
    const text = await answer.text();
    assert.ok(text.endsWith('\n'));
    const known = new Set<string>();
    const histograms = new Set<string>();
    let samples = 0;
    for (const line of text.trimEnd().split('\n')) {
      const [, comment, name] = /^# (HELP|TYPE) (\w+) /.exec(line) ?? [];
      if (comment === 'TYPE') known.add(name!);
      if (comment === 'TYPE' && line.endsWith(' histogram')) histograms.add(name!);
      if (comment !== undefined) continue;
      assert.match(line, /^\w+(\{(\w+="[^"\n]*",?)+\})? -?\d+(\.\d+)?(e[+-]?\d+)?$/);
      const sampled = /^\w+/.exec(line)![0];
      const histogram = sampled.replace(/_(?:bucket|sum|count)$/, '');
      assert.ok(histograms.has(histogram) ? sampled !== histogram : known.has(sampled), line);
      samples += 1;
    }
    assert.ok(samples >= known.size && known.size > 10, `only ${samples} samples of ${known.size} metrics`);
  });

  test('counts requests by operation and status class, and those to unknown paths as none', async () => {
    const requests = (operation: string, status: string) =>
      `parley_http_requests_total{operation="${operation}",status="${status}"}`;
    const earlier = await scrape();
    await server.get('/contacts');
    await server.get('/contacts/');
    await server.get('/contacts?limit=0');
    await server.get('/%22%7D/1');
    const later = await scrape();
    const change = (name: string) => (later.get(name) ?? 0) - (earlier.get(name) ?? 0);
    assert.equal(change(requests('listContacts', '2xx')), 2);
    assert.equal(change(requests('listContacts', '4xx')), 1);
    assert.equal(change(requests('none', '4xx')), 1);
  });

  test(
    'tells how long statements held the main thread, by what they do and their table',
    { skip: sqliteAlone('statements run in the process') },
    async () => {
      const name = 'parley_main_thread_statement_seconds';
      await aContact(server);
      const earlier = await scrape();
      await server.get('/contacts');
      const later = await scrape();
      const labels = 'statement="select contacts"';
      const counted = later.get(`${name}_count{${labels}}`)!;
      assert.equal(counted - (earlier.get(`${name}_count{${labels}}`) ?? 0), 1);
      assert.equal(later.get(`${name}_bucket{${labels},le="+Inf"}`), counted);
      const buckets = ['0.001', '0.005', '0.01', '0.05', '0.25', '+Inf'].map(
        (le) => `${name}_bucket{${labels},le="${le}"}`,
      );
      const values = buckets.map((bucket) => later.get(bucket)!);
      assert.deepEqual(
        values,
        values.toSorted((a, b) => a - b),
        'buckets include those below',
      );
      assert.ok(later.get(`${name}_sum{${labels}}`)! > 0);
      assert.ok(later.has(`${name}_count{statement="commit"}`));
      const names = [...later.keys()].filter((key) => key.startsWith(`${name}_count`));
      assert.ok(names.length < 300, `${names.length} names`);
    },
  );

  test('distributes the times of requests by operation, method and status', async () => {
    const name = 'parley_http_request_duration_seconds';
    const labels = 'operation="getContact",method="GET",status="404"';
    await server.get(`/contacts/${crypto.randomUUID()}`);
    const scraped = await scrape();
    assert.equal(scraped.get(`${name}_count{${labels}}`), 1);
    assert.equal(scraped.get(`${name}_bucket{${labels},le="+Inf"}`), 1);
    assert.ok(scraped.get(`${name}_sum{${labels}}`)! > 0);
  });

  test('counts how calls ended and how deliveries went, and how long both waited', async (t) => {
    const receiver = await aReceiver(t);
    const agent = await anAgent(server, { webhook_url: receiver.url });
    const { phone: from } = await aNumber(server);
    const earlier = await scrape();
    dataOf(await server.post('/calls', { agent_id: agent.id, to: aPhone('02'), from }));
    await server.advance(60_000);
    const later = await scrape();
    const change = (series: string) => (later.get(series) ?? 0) - (earlier.get(series) ?? 0);
    assert.equal(change('parley_calls_ended_total{outcome="busy",carrier="simulated",direction="outbound"}'), 1);
    assert.equal(change('parley_delivery_attempts_total{outcome="ok"}'), 1);
    assert.equal(change('parley_dial_delay_seconds_count'), 1);
    assert.equal(change('parley_event_delay_seconds_count'), 1);
    assert.equal(change('parley_event_delay_seconds_bucket{le="0.01"}'), 1, 'the test clock stood still');
  });

  test('has size, space, commits, lag and the age of jobs', async () => {
    const scraped = await scrape();
    assert.ok(scraped.get('parley_database_size_bytes')! > 100_000);
    assert.ok(scraped.get('parley_disk_free_bytes')! > 0);
    assert.ok(scraped.get(onSqlite ? 'parley_commit_seconds_count' : 'parley_store_transaction_seconds_count')! > 0);
    assert.equal(scraped.get('parley_oldest_job_age_seconds{kind="requests.prune"}'), 0);
    for (const name of ['parley_event_loop_lag_seconds', ...(onSqlite ? ['parley_sync_seconds'] : [])])
      assert.ok(scraped.has(`${name}_bucket{le="+Inf"}`), name);
    const text = await (await ask()).text();
    assert.match(text, /^# TYPE parley_dial_failures_total counter$/m);
  });

  test('reports calls in flight, queued jobs and completed jobs', async () => {
    const agent = await anAgent(server);
    const { phone: from } = await aNumber(server);
    const call = dataOf(await server.post('/calls', { agent_id: agent.id, to: aPhone(), from }));
    assert.notEqual(call, undefined);
    await server.advance(1000);
    const during = await scrape();
    assert.equal(during.get('parley_calls_in_flight'), 1);
    assert.equal(during.get('parley_ready'), 1);
    assert.equal(during.get('parley_jobs_oldest_due_seconds'), 0);
    assert.ok((during.get('parley_jobs_waiting{kind="requests.prune"}') ?? 0) === 1);
    await server.advance(86_400_000);
    const afterwards = await scrape();
    assert.equal(afterwards.get('parley_calls_in_flight'), 0);
    assert.equal(afterwards.get('parley_jobs_run_total{kind="requests.prune"}'), 1);
  });
});

test('labels are escaped', () => {
  const metric = { name: 'x', help: 'X.', type: 'gauge', samples: [{ labels: { a: 'q"b\\c\nd' }, value: 1 }] } as const;
  assert.equal(render([metric]), '# HELP x X.\n# TYPE x gauge\nx{a="q\\"b\\\\c\\nd"} 1\n');
});
