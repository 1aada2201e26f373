import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, test } from 'node:test';
import { sql } from 'kysely';
import { aPhone } from '../support/fixtures.ts';
import { type Answer, startTestServer } from '../support/server.ts';
import { type Ask, filled, methodOf, pathOf, type Row, rows } from './interface-rows.ts';
import { mismatches, snakeCampaign } from './interface-shapes.ts';
import { aWorld } from './interface-world.ts';

const world = await aWorld();
after(() => world.stop());
const { server } = world;

const paramsOf = (row: { line: string }): string[] => [...pathOf(row).matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);

type Credentials = { key?: string | null; bearer?: boolean };
const usual = ({ auth }: Row): Credentials =>
  auth === 'Bearer' ? { bearer: true } : auth === 'Key' ? {} : { key: null };

async function send(row: Row, ask: Ask, credentials: Credentials = usual(row)): Promise<Answer<unknown>> {
  return server.request(methodOf(row), filled(row, ask), {
    ...credentials,
    ...(ask.body === undefined ? {} : { body: ask.body }),
    ...(ask.headers ? { headers: ask.headers } : {}),
  });
}

const refusalOf = ({ status, body }: Answer<unknown>): string => `${status} ${body.code ?? '-'}`;

test('each of the twenty endpoints of the interface has a row', () => {
  const numbers = rows.flatMap(({ no }) => no ?? []).toSorted((a, b) => a - b);
  assert.deepEqual(
    numbers,
    Array.from({ length: 20 }, (_, index) => index + 1),
  );
});

test('the rows are exactly the operations of the server', () => {
  const served = Object.entries(server.document.paths).flatMap(([path, item]) =>
    Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
  );
  // Operations that are served, but not part of the OpenAPI document.
  const undescribed = ['GET /openapi.json'];
  assert.deepEqual(
    [...served, ...undescribed].toSorted(),
    rows.map(({ line }) => line.replace(/(?<=.)\/$/, '')).toSorted(),
  );
});

for (const row of rows) {
  const number = row.no === undefined ? '' : `${row.no}. `;

  if (row.auth !== 'signature' && !row.isEndless) {
    test(`${number}${row.line} answers in the documented shape`, async () => {
      const answer = await send(row, (await row.ask?.(world)) ?? {});
      assert.equal(answer.status, 200, answer.text);
      if (row.bare !== undefined) {
        assert.deepEqual(mismatches(row.bare ?? 'string', row.bare === null ? answer.text : answer.body, 'body'), []);
        return;
      }
      const { success, message, data, meta, ...rest } = answer.body;
      assert.equal(success, true);
      assert.ok(message.length > 0);
      assert.deepEqual(rest, {});
      if (row.data === null) assert.equal(data, undefined);
      else assert.deepEqual(mismatches(row.data, data), []);
      if (Array.isArray(row.data)) assert.notEqual((data as unknown[]).length, 0, 'the list is empty');
      const isInteger = row.paged ? ['integer', 'integer', 'integer'] : undefined;
      const kinds = meta && [meta.total, meta.limit, meta.offset].map((count) => Number.isInteger(count) && 'integer');
      assert.deepEqual(kinds, isInteger);
    });

    test(`${number}${row.line} also works with the trailing slash added or removed`, async () => {
      const other = pathOf(row).endsWith('/') ? row.line.replace(/\/$/, '') : `${row.line}/`;
      const answer = await send({ ...row, line: other }, (await row.ask?.(world)) ?? {});
      assert.equal(answer.status, 200, answer.text);
    });
  }

  if (row.auth === 'Key' || row.auth === 'Bearer' || row.auth === 'Session') {
    const accepted = { Key: 'a key or a token', Bearer: 'a token but no key', Session: 'neither a key nor a token' };
    test(`${number}${row.line} accepts ${accepted[row.auth]}`, async () => {
      const refused: Credentials[] = [{ key: null }, { key: `pk_${'0'.repeat(36)}` }];
      if (row.auth !== 'Key') refused.push({});
      if (row.auth === 'Session') refused.push({ bearer: true });
      for (const credentials of refused) {
        const answer = await send(row, {}, credentials);
        assert.equal(refusalOf(answer), '401 -', JSON.stringify(credentials));
        assert.equal(answer.body.success, false);
        assert.ok(answer.headers.get('www-authenticate'));
      }
      if (row.auth === 'Key') assert.notEqual((await send(row, {}, { bearer: true })).status, 401);
    });
  }

  for (const [refusal, ask] of Object.entries(row.refusals ?? {})) {
    test(`${number}${row.line} answers the documented error ${refusal}`, async () => {
      const answer = await send(row, await ask(world));
      assert.equal(refusalOf(answer), refusal, answer.text);
      assert.equal(answer.body.success, false);
      assert.equal(typeof answer.body.message, 'string');
    });
  }

  if (paramsOf(row).length > 0 && row.auth !== 'signature') {
    test(`${number}${row.line} answers unknown ids with ${row.alwaysThere ? '200' : '404'}`, async () => {
      const asked = (await row.ask?.(world)) ?? {};
      const at = Object.fromEntries(paramsOf(row).map((name) => [name, /phone/.test(name) ? aPhone() : randomUUID()]));
      const answer = await send(row, { ...asked, at });
      assert.equal(refusalOf(answer), row.alwaysThere ? '200 -' : '404 NOT_FOUND', answer.text);
    });
  }
}

test('5. without a connected account the answer is 409 NOT_CONNECTED', async () => {
  const other = await server.newOrganization();
  const path = `/calendar/event-types/lookup/intro?org_id=${other.orgId}`;
  assert.equal(refusalOf(await other.get(path, { bearer: true })), '409 NOT_CONNECTED');
});

test('3. without a connected account the answer is 404 without a code', async () => {
  const other = await server.newOrganization();
  const answer = await other.post('/calendar/disconnect', { org_id: other.orgId }, { bearer: true });
  assert.equal(refusalOf(answer), '404 -');
});

test('4. without a connected account the answer says so', async () => {
  const other = await server.newOrganization();
  const answer = await other.get(`/calendar/status?org_id=${other.orgId}`, { bearer: true });
  assert.deepEqual(answer.body.data, { connected: false, status: 'not_connected', accounts: [] } as unknown);
  assert.match(answer.body.message, /not connected/);
});

test('10. the campaigns of a contact are also available in full', async () => {
  const { body } = await server.get<unknown[]>(`/contacts/${world.contactId}/campaigns?view=full`);
  assert.equal(body.data.length, 1);
  assert.deepEqual(mismatches([snakeCampaign], body.data), []);
});

test('1, 3, 4, 5. a failing database causes a 500 INTERNAL_ERROR', async () => {
  const calendar = rows.filter(({ no }) => no !== undefined && [1, 3, 4, 5].includes(no));
  assert.equal(calendar.length, 4);
  const asks = await Promise.all(calendar.map(async (row) => (await row.ask?.(world)) ?? {}));
  const { db } = server.running.app;
  await sql`ALTER TABLE calendar_accounts RENAME TO calendar_accounts_elsewhere`.execute(db);
  try {
    for (const [index, row] of calendar.entries()) {
      const answer = await send(row, asks[index]!);
      assert.equal(refusalOf(answer), '500 INTERNAL_ERROR', row.line);
      assert.ok(!/sqlite|calendar_accounts/i.test(answer.text), answer.text);
    }
  } finally {
    await sql`ALTER TABLE calendar_accounts_elsewhere RENAME TO calendar_accounts`.execute(db);
  }
});

test('the test clock exists only with --test-clock', async () => {
  const real = await startTestServer({ testClock: false });
  try {
    assert.equal(refusalOf(await real.get('/test-clock')), '404 NOT_FOUND');
    assert.equal(refusalOf(await real.post('/test-clock/advance', { ms: 1 })), '404 NOT_FOUND');
  } finally {
    await real.stop();
  }
});
