import assert from 'node:assert/strict';
import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test, type TestContext } from 'node:test';
import { type PostgresServer, postgresPrograms, startPostgres } from '../support/postgres.ts';
import { ask, run, scratch, serve } from '../cli/support.ts';
import { standBy } from './nodes.ts';

const programs = postgresPrograms();
const skip = programs === undefined && 'needs a PostgreSQL server (Debian: postgresql)';
let postgres: PostgresServer | undefined;
before(() => void (postgres = programs === undefined ? undefined : startPostgres(programs)));
after(() => postgres?.stop());

function database(name: string): string {
  postgres!.run('postgres', `CREATE DATABASE ${name}`);
  return postgres!.url(name);
}

const first = (t: TestContext, url: string, data: string) =>
  serve(t, ['--data', data, '--set', 'node.name=first'], { PARLEY_STORE_URL: url });

type Check = { id: string; status: string; message: string };
type System = { storage: string; nodes: Array<{ name: string; roles: string[] }>; checks: Check[] };
const systemOf = async (at: string, key: string): Promise<System> =>
  ((await (await ask(`${at}/api/v1/system`, key)).json()) as { data: System }).data;
const rolesByName = (nodes: System['nodes']): Record<string, string> =>
  Object.fromEntries(nodes.map(({ name, roles }) => [name, roles.join()]));

test(
  'a node stands by while another is active, and takes over what it answered when that one stops',
  { skip },
  async (t) => {
    const url = database('stops');
    const data = join(scratch(t), 'first');
    const active = await first(t, url, data);
    const key = active.ready.api_key!;
    const other = await standBy(t, url, join(data, 'secrets.json'));
    const { storage, nodes } = await systemOf(active.ready.url, key);
    assert.equal(storage, 'postgres');
    assert.deepEqual(rolesByName(nodes), { first: 'active,http,jobs,telephony', second: 'standby' });
    const metrics = await (await ask(`${active.ready.url}/metrics`, key)).text();
    assert.match(metrics, /^parley_nodes\{role="standby"\} 1$/m);
    for (const name of [
      'connections{state="used"}',
      'transaction_seconds_count',
      'lock_wait_seconds_count',
      'retries_total{reason="conflict"}',
    ])
      assert.ok(metrics.includes(`\nparley_store_${name} `), name);
    const answers = async (path: string) => {
      const answer = await fetch(other.at + path);
      return [answer.status, answer.headers.get('retry-after'), await answer.json()];
    };
    assert.equal((await answers('/livez'))[0], 200);
    assert.deepEqual(await answers('/ready'), [503, null, { status: 'standby', active: 'first' }]);
    const [status, retryAfter, body] = await answers('/api/v1/agents');
    assert.deepEqual([status, retryAfter, (body as { code: string }).code], [503, '1', 'UNAVAILABLE']);
    assert.equal((await active.stop()).code, 0);
    await other.shows(/serves http/);
    assert.deepEqual(await answers('/ready'), [200, null, { status: 'ready' }]);
    assert.equal((await ask(`${other.at}/api/v1/agents`, key)).status, 200);
    assert.deepEqual(rolesByName((await systemOf(other.at, key)).nodes), { second: 'active,http,jobs,telephony' });
    other.signal('SIGTERM');
    assert.equal((await other.ended).code, 0);
  },
);

test(
  'another node takes over from one that is killed or frozen, and a frozen one ends when it wakes',
  { skip },
  async (t) => {
    const url = database('frozen');
    const data = join(scratch(t), 'first');
    const active = await first(t, url, data);
    const other = await standBy(t, url, join(data, 'secrets.json'));
    active.signal('SIGSTOP');
    const askedOfFrozen = ask(`${active.ready.url}/api/v1/agents`, active.ready.api_key).then(
      ({ status }) => status,
      () => 'cut off',
    );
    await other.shows(/serves http/);
    const { nodes, checks } = await systemOf(other.at, active.ready.api_key!);
    const about = (id: string) =>
      checks.filter((check) => check.id === id).map(({ status, message }) => `${status}: ${message}`);
    assert.match(
      about('nodes').join(),
      /^warn: active: second; no other node stands by to take over; first was last seen at \S+Z and was not stopped$/,
    );
    assert.deepEqual(about('clock'), ['ok: the clock of this machine agrees with that of the database']);
    assert.deepEqual(rolesByName(nodes), { second: 'active,http,jobs,telephony' });
    active.signal('SIGCONT');
    assert.notEqual(await askedOfFrozen, 200);
    const ended = await active.ended;
    assert.equal(ended.code, 1);
    assert.match(ended.err, /another node has become active/);
    assert.equal((await fetch(`${other.at}/ready`)).status, 200);
  },
);

test(
  'a node that stands by outlives a restart of the database, and ends at once when it is stopped',
  { skip },
  async (t) => {
    const url = database('waits');
    const data = join(scratch(t), 'first');
    const active = await first(t, url, data);
    const other = await standBy(t, url, join(data, 'secrets.json'));
    const doctor = (of: string) => run(['doctor', '--data', of], { PARLEY_STORE_URL: url });
    const [ofActive, ofOther] = await Promise.all([doctor(data), doctor(other.data)]);
    assert.match(ofActive.out, /^ok +server +the server is running/m);
    assert.match(ofOther.out, /^ok +server +this node is not the active one/m);
    for (const { out } of [ofActive, ofOther]) assert.match(out, /^ok +nodes +active: first; standing by: second$/m);
    for (const { out } of [ofActive, ofOther]) assert.match(out, /^ok +database +all kept numbers are right/m);
    assert.doesNotMatch(ofActive.out + ofOther.out, /^fail/m);
    postgres!.run('waits', 'UPDATE organization_counts SET contacts = 7');
    for (const found of await Promise.all([doctor(data), doctor(other.data)])) {
      assert.equal(found.code, 1);
      assert.match(found.out, /^fail +database +the database is damaged: the kept number of contacts is wrong$/m);
    }
    postgres!.run('waits', 'UPDATE organization_counts SET contacts = 0');
    postgres!.restart('fast');
    const ready = async (at: string) => (await fetch(`${at}/ready`)).json() as Promise<{ status: string }>;
    while ((await ready(active.ready.url)).status !== 'ready');
    assert.equal((await ready(other.at)).status, 'standby');
    other.signal('SIGTERM');
    assert.equal((await other.ended).code, 0);
    await active.stop();
  },
);

test('a node without the secrets of the installation is refused before it stands by', { skip }, async (t) => {
  const url = database('secrets');
  const active = await first(t, url, join(scratch(t), 'first'));
  const foreignData = join(scratch(t), 'foreign');
  await (await first(t, database('others_secrets'), foreignData)).stop();
  const startOn = (data: string) => run(['serve', '--data', data, '--port', '0'], { PARLEY_STORE_URL: url });
  const [without, foreign] = await Promise.all([startOn(join(scratch(t), 'none')), startOn(foreignData)]);
  assert.deepEqual([without.code, foreign.code], [1, 1]);
  assert.match(
    without.err,
    /secrets\.json is missing, and the database of store\.url .* key k\w+ \(fingerprint \w+\)\. Copy it from another node/,
  );
  assert.match(
    foreign.err,
    /its fingerprint is (\w+), and that of the database of store\.url is (?!\1)\w+\. Copy the right file/,
  );
  assert.doesNotMatch(without.err + foreign.err, /parley\.db|standing by/);
  await active.stop();
});

test('a rotation of the encryption key waits until each node has it', { skip }, async (t) => {
  const url = database('rotation');
  const data = join(scratch(t), 'first');
  const active = await first(t, url, data);
  const secrets = join(data, 'secrets.json');
  const other = await standBy(t, url, secrets);
  const rotate = (wait: string) =>
    run(['secrets', 'rotate', '--wait', wait, '--data', data], { PARLEY_STORE_URL: url });
  const tooEarly = await rotate('0s');
  assert.equal(tooEarly.code, 1);
  assert.match(tooEarly.err, /^Nothing was re-encrypted, since these nodes do not know the new key k\w+: .*second/);
  const old = join(scratch(t), 'old');
  mkdirSync(old);
  copyFileSync(join(other.data, 'secrets.json'), join(old, 'secrets.json'));
  copyFileSync(secrets, join(other.data, 'secrets.json'));
  const rotated = await rotate('30s');
  assert.deepEqual(
    [rotated.code, rotated.out],
    [0, '0 stored secrets were re-encrypted with the new key.\n'],
    rotated.err,
  );
  const late = await run(['serve', '--data', old, '--port', '0'], { PARLEY_STORE_URL: url });
  assert.equal(late.code, 1);
  assert.match(late.err, /is an old copy: its key k\w+ does not open what the database of store\.url holds/);
  await active.stop();
  await other.shows(/serves http/);
  other.signal('SIGTERM');
  assert.equal((await other.ended).code, 0);
});

test('a database that cannot be used ends the start with the reason, and without the password', { skip }, async (t) => {
  const data = scratch(t);
  postgres!.run('postgres', 'CREATE DATABASE others');
  postgres!.run('others', 'CREATE TABLE things (id int)');
  const fails = async (url: string) => run(['serve', '--data', data, '--port', '0'], { PARLEY_STORE_URL: url });
  postgres!.run('postgres', 'CREATE ROLE guest LOGIN');
  postgres!.run('postgres', 'CREATE DATABASE hosts');
  const [foreign, missing, nobody, guest] = await Promise.all([
    fails(postgres!.url('others')),
    fails(postgres!.url('nowhere')),
    fails('postgres://parley:hunter2@127.0.0.1:1/parley'),
    fails(postgres!.url('hosts').replace(/\/\/[^@]*@/, '//guest@')),
  ]);
  assert.deepEqual([foreign.code, missing.code, nobody.code, guest.code], [1, 1, 1, 1]);
  assert.match(guest.err, /permission denied for schema public\. The role of store\.url needs CREATE/);
  assert.match(foreign.err, /tables of another program \(things/);
  assert.match(missing.err, /database "nowhere" does not exist/);
  assert.match(nobody.err, /ECONNREFUSED/);
  assert.doesNotMatch(nobody.err, /hunter2/);
});

test('nodes need one database, and all at once is not built yet', async () => {
  const [alone, equal, listens, sqlite] = await Promise.all([
    run(['config', 'print', '--set', 'nodes.mode=standby']),
    run(['config', 'print', '--set', 'nodes.mode=equal', '--set', 'store.url=postgres://parley@db/parley']),
    run(['config', 'print', '--set', 'store.listen_url=db:5432']),
    run(['config', 'print', '--set', 'store.url=sqlite:parley.db']),
  ]);
  assert.deepEqual([alone.code, equal.code, listens.code, sqlite.code], [78, 78, 78, 78]);
  assert.match(listens.err, /store\.listen_url must be .* or none/);
  assert.match(alone.err, /nodes\.mode needs store\.url/);
  assert.match(equal.err, /equal is not built yet/);
});
