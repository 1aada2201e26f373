import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import {
  inProcess,
  installation,
  logIn,
  mode,
  orgOf,
  password,
  populate,
  printed,
  template,
  uuid,
} from '../cli/administer-support.ts';
import { ask, run, scratch, serve } from '../cli/support.ts';

suite('administration commands', () => {
  test('create organizations, keys and users whether a server runs or not', async (t) => {
    const { data, orgId, parley } = installation(t);
    const offline = await populate(parley, 'off@example.com');
    const server = await serve(t, ['--data', data]);
    assert.equal(mode(join(data, 'parley.sock')), 0o600);
    const online = await populate(parley, 'on@example.com');
    for (const { orgId: id, key } of [offline, online]) assert.equal(await orgOf(server, key), id);
    const audit = await (await ask(`${server.ready.url}/api/v1/audit`, online.key)).json();
    assert.deepEqual(
      (audit as { data: Array<{ operation: string; actor: object }> }).data.map(({ operation, actor }) => [
        operation,
        actor,
      ]),
      ['users.create', 'keys.create', 'orgs.create'].map((operation) => [
        operation,
        { kind: 'operator', id: null, name: null },
      ]),
    );
    for (const email of ['off@example.com', 'ON@example.com']) assert.equal((await logIn(server, email)).status, 200);
    const ofFirst = printed(
      await parley(['keys', 'create', '--name', 'First', '--role', 'viewer', '--org', template.orgId]),
    );
    assert.equal(await orgOf(server, ofFirst), orgId);

    const keys = JSON.parse((await parley(['keys', 'list', '--json'])).out) as Array<{ id: string; name: string }>;
    assert.deepEqual(
      keys.map(({ name }) => name),
      ['First', 'First admin key'],
    );
    const listed = (await parley(['keys', 'list', '--org', offline.orgId])).out;
    assert.match(listed, /^ID +ROLE +CREATED +LAST USED +EXPIRES +NAME\n\S+ +admin +\S+ +20\S+ +never +Deploy\n$/);
    assert.equal((await parley(['keys', 'revoke', keys[0]!.id])).code, 0);
    assert.equal((await ask(`${server.ready.url}/api/v1/organization`, ofFirst)).status, 401, 'immediately');
    const last = await parley(['keys', 'revoke', keys[1]!.id]);
    assert.equal(last.code, 1);
    assert.match(last.err, /last admin key/);
    const again = await parley(['keys', 'revoke', keys[0]!.id]);
    assert.deepEqual([again.code, again.err], [1, 'No such API key.\n']);
    await server.stop();
    assert.equal(existsSync(join(data, 'parley.sock')), false);
  });

  test('find the socket in a temporary directory if the path of the data directory is too long for it', async (t) => {
    const temporary = scratch(t);
    const data = join(scratch(t), 'd'.repeat(120));
    const server = await serve(t, ['--data', data], { TMPDIR: temporary });
    const pointer = join(data, 'parley.sock.path');
    const [directory] = readdirSync(temporary);
    assert.equal(readFileSync(pointer, 'utf8'), `${join(temporary, directory!, 'parley.sock')}\n`);
    assert.deepEqual([mode(pointer), mode(join(temporary, directory!))], [0o600, 0o700]);
    assert.match((await run(['orgs', 'create', 'x', '--data', data])).out, uuid);
    await server.stop();
    assert.deepEqual([existsSync(pointer), readdirSync(temporary)], [false, []]);
  });

  test('work although a killed server left its socket behind', async (t) => {
    const { data, parley } = installation(t);
    const server = await serve(t, ['--data', data]);
    process.kill(server.ready.pid, 'SIGKILL');
    await server.ended;
    assert.equal(existsSync(join(data, 'parley.sock')), true);
    assert.match((await parley(['orgs', 'create', 'x'])).out, uuid);
    const next = await serve(t, ['--data', data]);
    assert.match((await parley(['orgs', 'create', 'y'])).out, uuid);
    await next.stop();
  });
});

test('a command that fails exits with 1 and says why, in the same words whether a server runs or not', async (t) => {
  const { data, parley } = installation(t);
  const refusals = async () => [
    await inProcess(t, ['orgs', 'create', ' ', '--data', data]),
    await inProcess(t, ['keys', 'list', '--org', '0199aaaa-0000-7000-8000-00000000c0de', '--data', data]),
    await inProcess(t, ['keys', 'revoke', 'mine', '--data', data]),
    await parley(['users', 'create', 'nobody', '--role', 'member', '--password-stdin'], password),
    await parley(['users', 'create', 'x@example.com', '--role', 'member', '--password-stdin'], 'short'),
  ];
  const offline = await refusals();
  const server = await serve(t, ['--data', data]);
  assert.deepEqual(await refusals(), offline);
  await server.stop();
  assert.deepEqual(offline, [
    { code: 1, out: '', err: 'name must not be blank\n' },
    { code: 1, out: '', err: 'No such organization.\n' },
    { code: 1, out: '', err: 'id must be a UUID\n' },
    { code: 1, out: '', err: 'email must be an e-mail address\n' },
    { code: 1, out: '', err: 'password: must have 8 to 1024 characters\n' },
  ]);
});

test('a backup of a running server restores everything, into the same directory and into another', async (t) => {
  const { data, adminKey, parley } = installation(t);
  const directory = scratch(t);
  const file = join(directory, 'backup.db');
  const server = await serve(t, ['--data', data]);
  const { orgId, key } = await populate(parley, 'kept@example.com');
  const backup = await parley(['backup', file]);
  assert.deepEqual([backup.code, backup.out], [0, `${file}\n${file}.secrets.json\n`]);
  assert.deepEqual([mode(file), mode(`${file}.secrets.json`)], [0o600, 0o600]);
  const lost = printed(await parley(['keys', 'create', '--name', 'Later', '--role', 'admin', '--org', template.orgId]));
  const refused = await parley(['restore', file]);
  assert.equal(refused.code, 1);
  assert.match(refused.err, new RegExp(`in use by process ${server.ready.pid}.*stop it first`));
  await server.stop();

  assert.equal((await parley(['backup', file])).code, 1, 'a backup never overwrites a file');
  const elsewhere = join(directory, 'elsewhere');
  assert.equal((await run(['restore', file, '--data', elsewhere])).code, 0);
  const restored = await parley(['restore', file]);
  assert.equal(restored.code, 0, restored.err);
  for (const at of [elsewhere, data]) {
    const again = await serve(t, ['--data', at]);
    assert.equal(await orgOf(again, key), orgId);
    assert.equal((await ask(`${again.ready.url}/api/v1/organization`, adminKey)).status, 200);
    assert.equal((await ask(`${again.ready.url}/api/v1/organization`, lost)).status, 401, 'created after the backup');
    assert.equal((await logIn(again, 'kept@example.com')).status, 200);
    const bearer = { authorization: `Bearer ${server.ready.access_token}` };
    const asToken = await fetch(`${again.ready.url}/api/v1/organization`, { headers: bearer });
    assert.equal(asToken.status, 200, 'the secrets are the same');
    await again.stop();
  }
  const kept = readdirSync(data).filter((name) => name.includes('.before-restore-'));
  assert.equal(kept.length, 2);
  for (const name of kept) assert.ok(restored.err.includes(name), name);
  assert.deepEqual(
    readdirSync(data).filter((name) => name.includes('restoring')),
    [],
  );
});
