import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { test, type TestContext } from 'node:test';
import { parse } from 'yaml';
import { pause } from '../../src/base/clock.ts';
import { aReceiver } from '../http/calling-support.ts';
import { aPhone, anAgent, aNumber } from '../support/fixtures.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { freePort } from '../support/sip/free-port.ts';

const directory = resolve(import.meta.dirname, '../../docs/monitoring');
const token = 'scrape-me-if-you-can';

type Rule = { alert: string; expr: string; annotations: { summary: string } };
const rules = (): Rule[] => parse(readFileSync(join(directory, 'rules.yaml'), 'utf8')).groups[0].rules;

type Panel = { title: string; targets: { expr: string }[] };
const panels = (): Panel[] => JSON.parse(readFileSync(join(directory, 'grafana.json'), 'utf8')).panels;

/** Metric names in an expression: words with an underscore, without labels and functions. */
const metricsIn = (expr: string): string[] => expr.match(/\b(?:parley|process)_\w+/g) ?? [];

test('Prometheus accepts the alert rules', () => {
  execFileSync('promtool', ['check', 'rules', join(directory, 'rules.yaml')]);
});

test('every expression of rules and panels answers from the metrics of a running server', async (t) => {
  const server = await startTestServer({
    settings: { 'metrics.token': token, 'webhooks.allow_http_loopback': 'true' },
  });
  t.after(() => server.stop());
  await callOnce(t, server);
  const known = await namesOf(server);
  const expressions = [
    ...rules().map(({ expr }) => expr),
    ...panels().flatMap(({ targets }) => targets.map(({ expr }) => expr)),
  ];
  assert.ok(expressions.length > 30);
  for (const expr of expressions)
    for (const name of metricsIn(expr)) assert.ok(known.has(name), `${name} is not in /metrics: ${expr}`);

  const query = await startPrometheus(t, server);
  await until(async () => (await query('parley_ready == 1')).length === 1);
  await until(async () => (await query('rate(parley_jobs_run_total[1m])')).length > 0);
  for (const expr of expressions) await query(expr.replaceAll('$__rate_interval', '1m'));
  assert.equal((await query('sum(parley_calls_ended_total{outcome="completed"})'))[0]!.value[1], '1');
  assert.deepEqual(await query('parley_ready == 0'), [], 'no alert of a healthy server');
});

/** One call with its event, so that there is something to count. */
async function callOnce(t: TestContext, server: TestServer): Promise<void> {
  const receiver = await aReceiver(t);
  const agent = await anAgent(server, { webhook_url: receiver.url });
  const { phone: from } = await aNumber(server);
  await server.post('/calls', { agent_id: agent.id, to: aPhone('00'), from });
  await server.advance(120_000);
  assert.equal(receiver.events.length, 1);
}

async function namesOf({ url }: TestServer): Promise<Set<string>> {
  const text = await (await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${token}` } })).text();
  const declared = [...text.matchAll(/^# TYPE (\w+) (\w+)$/gm)].flatMap(([, name, type]) =>
    type === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name!],
  );
  return new Set(declared);
}

type Sample = { metric: Record<string, string>; value: [number, string] };

async function startPrometheus(t: TestContext, server: TestServer): Promise<(expr: string) => Promise<Sample[]>> {
  const home = mkdtempSync(join(tmpdir(), 'parley-prometheus-'));
  const config = {
    global: { scrape_interval: '1s' },
    rule_files: [join(directory, 'rules.yaml')],
    scrape_configs: [
      {
        job_name: 'parley',
        authorization: { credentials: token },
        static_configs: [{ targets: [new URL(server.url).host] }],
      },
    ],
  };
  writeFileSync(join(home, 'prometheus.json'), JSON.stringify(config)); // JSON is YAML
  const port = await freePort();
  const child = spawn(
    'prometheus',
    [
      `--config.file=${join(home, 'prometheus.json')}`,
      `--storage.tsdb.path=${join(home, 'data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
    ],
    { stdio: 'ignore' },
  );
  const ended = new Promise((done) => child.once('exit', done));
  t.after(async () => {
    child.kill();
    await ended;
    rmSync(home, { recursive: true, force: true });
  });
  const base = `http://127.0.0.1:${port}`;
  await until(async () => (await fetch(`${base}/-/ready`).catch(() => undefined))?.ok === true);
  return async (expr) => {
    const answer = await fetch(`${base}/api/v1/query?query=${encodeURIComponent(expr)}`);
    const { status, error, data } = (await answer.json()) as {
      status: string;
      error?: string;
      data: { result: Sample[] };
    };
    assert.equal(status, 'success', `${expr}: ${error}`);
    return data.result;
  };
}

/** Prometheus scrapes by real time and has no signal to wait for, so this asks until it has what is wanted. */
async function until(isTrue: () => Promise<boolean>): Promise<void> {
  while (!(await isTrue())) await pause(100);
}
