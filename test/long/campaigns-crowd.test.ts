import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { aNumber, aPhone } from '../support/fixtures.ts';
import { dataOf, startTestServer } from '../support/server.ts';
import { countStatements } from '../support/statements.ts';
import { type CallingOrg, newCallingOrg } from '../http/calling-support.ts';

const server = await startTestServer();
after(() => server.stop());

/** Creates active campaigns on the organization's number, each with this many contacts. */
async function aCrowd(org: CallingOrg, campaigns: number, contacts: number): Promise<string[]> {
  const ids: string[] = [];
  for (let index = 0; index < campaigns; index += 1) {
    const { id } = await org.campaign({ maxCps: 10 });
    const body = { contacts: Array.from({ length: contacts }, () => ({ phone: aPhone('00') })) };
    dataOf(await org.client.post(`/campaigns/${id}/contacts`, body));
    ids.push(id);
  }
  for (const id of ids) dataOf(await org.client.patch(`/campaigns/${id}`, { status: 'active' }));
  return ids;
}

for (const [what, limits, campaigns, contacts] of [
  ['20 lines', { max_concurrent: 20 }, 500, 2],
  ['2 calls a second', { max_cps: 2 }, 100, 5],
] as const) {
  test(`${campaigns} campaigns that share ${what} of a number take little more than a tick a call`, async () => {
    const org = await newCallingOrg(server);
    dataOf(await org.client.patch(`/phone-numbers/${org.numberId}`, limits));
    const ids = await aCrowd(org, campaigns, contacts);
    const first = await server.advance(0);
    const ran = await server.advance(3_600_000);
    const calls = campaigns * contacts;
    for (const id of ids) assert.equal((await org.read(id)).status, 'completed');
    const ticks = (first['campaign.tick'] ?? 0) + (ran['campaign.tick'] ?? 0);
    // Each campaign has one tick when it starts, before it knows that it has to wait.
    assert.ok(ticks <= 1.2 * calls + ids.length, `${ticks} ticks for ${calls} calls`);
  });
}

for (const [what, change] of [
  ['paused', { status: 'paused' }],
  ['completed', { status: 'completed' }],
  ['moved to another number', 'number'],
] as const) {
  test(`a campaign that is ${what} when it was woken wakes the next`, async () => {
    const org = await newCallingOrg(server);
    dataOf(await org.client.patch(`/phone-numbers/${org.numberId}`, { max_cps: 1 }));
    const ids = await aCrowd(org, 3, 3);
    await server.advance(500);
    const next = await server.running.app.db
      .selectFrom('campaigns')
      .select('id')
      .where('id', 'in', ids)
      .where('wake_at', 'is not', null)
      .executeTakeFirstOrThrow();
    const changes = change === 'number' ? { phoneNumberId: (await aNumber(org.client)).id } : change;
    dataOf(await org.client.patch(`/campaigns/${next.id}`, changes));
    await server.advance(20_000); // before the first call ends, since its end would wake the next
    for (const id of ids.filter((other) => other !== next.id)) assert.equal((await org.stats(id)).pending, 0);
  });
}

/** The number of statements in a tick that starts a call, with the contacts spread over these time zones. */
async function statementsPerTick(zones: readonly string[]): Promise<number> {
  const org = await newCallingOrg(server);
  const { id } = await org.campaign({ maxCps: 10, schedule: { maxConcurrent: 1000 } });
  const contacts = Array.from({ length: 2 * zones.length + 20 }, (_, index) => ({
    phone: aPhone('00'),
    timezone: zones[index % zones.length]!,
  }));
  dataOf(await org.client.post(`/campaigns/${id}/contacts`, { contacts }));
  const statements = countStatements();
  dataOf(await org.client.patch(`/campaigns/${id}`, { status: 'active' }));
  await server.advance(0);
  statements.restart();
  const ran = await server.advance(900);
  statements.stop();
  return statements.count() / ran['campaign.tick']!;
}

test('a tick costs no more statements with four hundred open time zones than with one', async () => {
  const zones = Intl.supportedValuesOf('timeZone').slice(0, 400);
  const one = await statementsPerTick(['Europe/Berlin']);
  const many = await statementsPerTick(zones);
  assert.ok(many <= 1.2 * one, `${many.toFixed(1)} with ${zones.length}, ${one.toFixed(1)} with one`);
});
