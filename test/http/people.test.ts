import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startMailbox } from '../support/mailbox.ts';
import { aPassword, aPerson } from '../support/people.ts';
import { type Answer, type Client, type Data, dataOf, faultPaths, startTestServer } from '../support/server.ts';
import { aSession, browserWith, logIn, ownPage, type SessionData } from '../support/sessions.ts';

const server = await startTestServer();
after(() => server.stop());

const hour = 3_600_000;
type User = Data & { email: string; role: string; status: string; last_login_at: string | null; link: string | null };

const tokenOf = (link: string | null): string => new URL(link!).searchParams.get('token')!;
const ascending = (a: number, b: number): number => a - b;
let made = 0;
const anEmail = (): string => `invited-${made++}@example.com`;

const invite = async (role = 'member', client: Client = server): Promise<User & { token: string }> => {
  const user = dataOf(await client.post<User>('/users', { email: anEmail(), role }));
  return { ...user, token: tokenOf(user.link) };
};
const setUp = (body: object, on: Client = server): Promise<Answer<SessionData>> =>
  on.post<SessionData>('/auth/setup', body, { key: null, headers: ownPage });
const listed = async (id: string): Promise<User | undefined> =>
  dataOf(await server.get<User[]>('/users')).find((user) => user.id === id);

test('the set-up link of a first start makes an admin, names the organization and opens a session', async (t) => {
  const fresh = await startTestServer();
  t.after(() => fresh.stop());
  const { setupUrl } = fresh.running;
  assert.ok(setupUrl!.startsWith(`${fresh.url}/setup?token=`));
  const body = { token: tokenOf(setupUrl), email: 'Ada@Example.com', password: aPassword };
  assert.deepEqual(faultPaths(await setUp({ ...body, password: 'short' }, fresh)), ['password']);
  const answer = await setUp({ ...body, organization_name: 'Lovelace & Co' }, fresh);
  const { user, organization } = dataOf(answer);
  assert.deepEqual([user.email, user.role], ['ada@example.com', 'admin']);
  assert.deepEqual(organization, { id: fresh.orgId, name: 'Lovelace & Co' });
  assert.equal((await fresh.get('/users', browserWith(answer).page)).status, 200);
});

test('twenty who use a set-up link at once are one admin and nineteen refusals', async (t) => {
  const fresh = await startTestServer();
  t.after(() => fresh.stop());
  const token = tokenOf(fresh.running.setupUrl);
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      setUp({ token, email: `p${index}@example.com`, password: aPassword }, fresh),
    ),
  );
  const statuses = answers.map(({ status }) => status).toSorted(ascending);
  assert.deepEqual(statuses, [200, ...Array.from({ length: 19 }, () => 401)]);
  assert.equal(dataOf(await fresh.get<User[]>('/users')).length, 1);
});

test('an unknown, used, replaced and expired link get the same 401', async () => {
  const used = await invite();
  dataOf(await setUp({ token: used.token, email: used.email, password: aPassword }));
  const replaced = await invite();
  const { link } = dataOf(await server.post<User>(`/users/${replaced.id}/link`));
  const expired = await invite();
  const last = await invite();
  const refusals = [
    await setUp({ token: 'x'.repeat(43), email: 'nobody@example.com', password: aPassword }),
    await setUp({ token: used.token, email: used.email, password: aPassword }),
    await setUp({ token: replaced.token, email: replaced.email, password: aPassword }),
  ];
  dataOf(await setUp({ token: tokenOf(link), email: replaced.email, password: aPassword }));
  await server.advance(72 * hour - 1);
  assert.equal((await setUp({ token: last.token, email: last.email, password: aPassword })).status, 200);
  await server.advance(1);
  refusals.push(await setUp({ token: expired.token, email: expired.email, password: aPassword }));
  for (const { status, text: body, headers } of refusals) {
    assert.deepEqual([status, body], [401, refusals[0]!.text]);
    assert.notEqual(headers.get('www-authenticate'), null);
    assert.deepEqual(headers.getSetCookie(), []);
  }
});

test('the set-up link works for 24 hours, and not any more once somebody is there', async (t) => {
  const fresh = await startTestServer();
  t.after(() => fresh.stop());
  const token = tokenOf(fresh.running.setupUrl);
  await fresh.advance(24 * hour);
  assert.equal((await setUp({ token, email: 'late@example.com', password: aPassword }, fresh)).status, 401);
  const second = await startTestServer();
  t.after(() => second.stop());
  await aPerson(second, 'viewer');
  const early = { token: tokenOf(second.running.setupUrl), email: 'early@example.com', password: aPassword };
  assert.equal((await setUp(early, second)).status, 401);
});

test('an invited person is listed as invited, cannot log in, and becomes active with their link', async () => {
  const { id, email, token, ...user } = await invite('viewer');
  assert.deepEqual([user.role, user.status, user.last_login_at], ['viewer', 'invited', null]);
  assert.equal((await listed(id))!.link, null, 'the link is shown once');
  assert.equal((await logIn(server, { email, password: aPassword })).status, 401);
  const body = { token, email, password: aPassword };
  assert.deepEqual(faultPaths(await setUp({ ...body, email: 'other@example.com' })), ['email']);
  const session = dataOf(
    await setUp({ ...body, email: email.toUpperCase(), organization_name: 'Not theirs to change' }),
  );
  assert.deepEqual([session.user, session.organization.name], [{ id, email, role: 'viewer' }, 'My organization']);
  const now = await listed(id);
  assert.deepEqual([now!.status, now!.last_login_at !== null], ['active', true]);
  assert.equal((await logIn(server, { email, password: aPassword })).status, 200);
});

test('a link for a forgotten password changes it and ends all sessions; the old password works until then', async () => {
  const { person, page } = await aSession(server);
  const { link } = dataOf(await server.post<User>(`/users/${person.id}/link`));
  assert.equal((await logIn(server, person.credentials)).status, 200);
  assert.equal((await server.get('/contacts', page)).status, 200);
  const answer = await setUp({ token: tokenOf(link), email: person.email, password: 'a completely new one' });
  assert.equal((await server.get('/contacts', page)).status, 401);
  assert.equal((await server.get('/contacts', browserWith(answer).page)).status, 200);
  assert.equal((await logIn(server, person.credentials)).status, 401);
});

test('a changed role counts from the next request on, and a removed person is out at once', async () => {
  const { person, page } = await aSession(server, 'viewer');
  assert.equal((await server.post('/contacts', {}, page)).status, 403);
  assert.equal(dataOf(await server.patch<User>(`/users/${person.id}`, { role: 'member' })).role, 'member');
  assert.equal((await server.post('/contacts', {}, page)).status, 200);
  assert.equal((await server.patch(`/users/${person.id}`, { role: 'viewer' })).status, 200);
  assert.equal((await server.post('/contacts', {}, page)).status, 403);
  assert.equal((await server.del(`/users/${person.id}`)).status, 200);
  assert.equal((await server.get('/contacts', page)).status, 401);
  assert.equal((await server.del(`/users/${person.id}`)).status, 404);
});

test('a disabled person is out at once, stays in the list, and can be enabled again', async () => {
  const { person, page } = await aSession(server, 'member');
  const { access_token: token } = dataOf(
    await server.post<{ access_token: string }>('/auth/login', person.credentials, { key: null }),
  );
  const bearer = { key: null, headers: { authorization: `Bearer ${token}` } };
  const link = dataOf(await server.post<User>(`/users/${person.id}/link`)).link;
  assert.equal((await server.get('/contacts', bearer)).status, 200);
  const disable = (disabled: boolean) => server.patch<User>(`/users/${person.id}`, { disabled });
  const disabled = dataOf(await disable(true));
  assert.deepEqual([disabled['disabled'], disabled.role, disabled.status], [true, 'member', 'active']);
  assert.equal((await server.get('/contacts', page)).status, 401);
  assert.equal((await server.get('/contacts', bearer)).status, 401);
  assert.equal((await logIn(server, person.credentials)).status, 401);
  assert.equal((await setUp({ token: tokenOf(link), email: person.email, password: 'another password' })).status, 401);
  assert.equal((await server.post(`/users/${person.id}/link`)).status, 409);
  assert.equal((await listed(person.id))!['disabled'], true);
  assert.equal(dataOf(await server.patch<User>(`/users/${person.id}`, { role: 'viewer' }))['disabled'], true);
  assert.equal(dataOf(await disable(false))['disabled'], false);
  assert.equal((await server.get('/contacts', page)).status, 401, 'its sessions have ended');
  assert.equal((await server.get('/contacts', bearer)).status, 401, 'its tokens, too');
  assert.equal((await logIn(server, person.credentials)).status, 200);
  const again = await server.post<{ access_token: string }>('/auth/login', person.credentials, { key: null });
  const renewed = { key: null, headers: { authorization: `Bearer ${dataOf(again).access_token}` } };
  assert.equal((await server.get('/contacts', renewed)).status, 200);
  assert.equal((await server.patch(`/users/${person.id}`, {})).status, 200, 'nothing is changed');
});

test("the last admin who can log in is not disabled, and a disabled one takes nobody's place", async () => {
  const org = await server.newOrganization();
  const [{ person }, other] = [await aSession(server, 'admin', org), await aSession(server, 'admin', org)];
  assert.equal((await org.patch(`/users/${other.person.id}`, { disabled: true })).status, 200);
  for (const change of [{ disabled: true }, { role: 'viewer' }, { role: 'viewer', disabled: true }])
    assert.equal((await org.patch(`/users/${person.id}`, change)).status, 409, JSON.stringify(change));
  assert.equal((await org.del(`/users/${person.id}`)).status, 409);
  assert.equal((await org.del(`/users/${other.person.id}`)).status, 200);
});

test('the last admin who can log in is neither removed nor made less', async () => {
  const org = await server.newOrganization();
  const { person } = await aSession(server, 'admin', org);
  const invited = await invite('admin', org);
  for (const answer of [
    await org.del(`/users/${person.id}`),
    await org.patch(`/users/${person.id}`, { role: 'member' }),
  ])
    assert.deepEqual([answer.status, answer.body.code], [409, 'CONFLICT']);
  assert.equal((await org.patch(`/users/${person.id}`, { role: 'admin' })).status, 200);
  dataOf(await setUp({ token: invited.token, email: invited.email, password: aPassword }));
  const both = await Promise.all([org.del(`/users/${person.id}`), org.del(`/users/${invited.id}`)]);
  assert.deepEqual(both.map(({ status }) => status).toSorted(ascending), [200, 409]);
});

test('the only admin of an organization stays, also while invited', async () => {
  const org = await server.newOrganization();
  const { id } = await invite('admin', org);
  assert.equal((await org.del(`/users/${id}`)).status, 409);
  await invite('admin', org);
  assert.equal((await org.del(`/users/${id}`)).status, 200);
});

test('an e-mail address has one person, whatever its case and organization', async () => {
  const { email } = await aPerson(server);
  const org = await server.newOrganization();
  assert.equal((await org.post('/users', { email: email.toUpperCase(), role: 'viewer' })).status, 409);
});

test('the link goes by e-mail to the person alone, if a mail server is configured', async (t) => {
  const mailbox = await startMailbox();
  const mailing = await startTestServer({ settings: mailbox.settings });
  t.after(async () => {
    await mailing.stop();
    await mailbox.close();
  });
  const { email, token } = await invite('member', mailing);
  const { to, content } = await mailbox.first;
  assert.deepEqual(to, [email]);
  assert.ok(content.includes(`${mailing.url}/setup?token=${token}`), content);
  await mailing.running.runner.settled();
  const { text: notices } = await mailing.get('/notices');
  assert.ok(!notices.includes(token));
  const jobs = await mailing.running.app.db.selectFrom('outbox').selectAll().execute();
  assert.ok(!JSON.stringify(jobs).includes(token));
});

test('a person gets three links an hour by e-mail, however often an organization makes or removes them', async (t) => {
  const mailbox = await startMailbox();
  const mailing = await startTestServer({ settings: mailbox.settings });
  t.after(async () => {
    await mailing.stop();
    await mailbox.close();
  });
  const hostile = await mailing.newOrganization();
  const inviteVictim = async () =>
    dataOf(await hostile.post<User>('/users', { email: 'victim@example.com', role: 'viewer' }));
  for (let times = 0; times < 3; times++) {
    const { id } = await inviteVictim();
    await mailing.running.runner.settled();
    assert.ok(dataOf(await hostile.post<User>(`/users/${id}/link`)).link);
    await mailing.running.runner.settled();
    dataOf(await hostile.del(`/users/${id}`));
  }
  assert.equal(mailbox.received.length, 3);
  dataOf(await mailing.post('/users', { email: 'somebody.else@example.com', role: 'viewer' }));
  await mailing.running.runner.settled();
  assert.deepEqual(mailbox.received.at(-1), ['somebody.else@example.com']);
  await mailing.advance(3_600_000);
  dataOf(await hostile.post('/users', { email: 'victim@example.com', role: 'viewer' }));
  await mailing.running.runner.settled();
  assert.deepEqual(mailbox.received.at(-1), ['victim@example.com']);
});
