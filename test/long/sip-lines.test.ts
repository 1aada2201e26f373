import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { pause } from '../../src/base/clock.ts';
import { aCampaign, aContact, anAgent, aNumber, aPhone } from '../support/fixtures.ts';
import { type Client, dataOf, startTestServer } from '../support/server.ts';
import { audioOf, headerIn, type Peer, type PeerMessage, startPeer } from '../support/sip/peer.ts';
import { sipSettings } from '../support/sip/server.ts';

/** Answers every call and holds it. */
function answers(peer: Peer, request: PeerMessage): void {
  if (request.method === 'INVITE') peer.answer(request, { status: 200, reason: 'OK', body: audioOf(46_000) });
  else if (request.method !== 'ACK') peer.answer(request, { status: 200, reason: 'OK' });
}

async function aServerWithLines(t: TestContext, lines: number) {
  const server = await startTestServer({
    testClock: false,
    settings: { ...(await sipSettings()), 'sip.max_calls': String(lines) },
  });
  t.after(() => server.stop());
  return server;
}

async function aTrunk(t: TestContext): Promise<Peer> {
  const peer = await startPeer(answers);
  t.after(() => peer.close());
  return peer;
}

/** A running campaign with this number of contacts, on a number and an agent of its own. */
async function aRunningCampaign(client: Client, trunk: Peer, contacts: number) {
  const agent = await anAgent(client);
  const number = await aNumber(client, { termination_uri: trunk.uri });
  const campaign = await aCampaign(client, { agentId: agent.id, phoneNumberId: number.id, maxCps: 50 });
  const ids = await Promise.all(Array.from({ length: contacts }, async () => (await aContact(client)).id));
  dataOf(await client.post(`/campaigns/${campaign.id}/contacts`, { contact_ids: ids }));
  dataOf(await client.patch(`/campaigns/${campaign.id}`, { status: 'active' }));
  return { agent, number, campaign };
}

type Stats = Record<'pending' | 'inProgress', number>;

async function statsWhen(client: Client, id: string, isReached: (stats: Stats) => boolean): Promise<Stats> {
  for (;;) {
    const { contactStats } = dataOf(await client.get<{ contactStats: Stats }>(`/campaigns/${id}`));
    if (isReached(contactStats)) return contactStats;
    await pause(50);
  }
}

const callIdOf = (message: PeerMessage): string => headerIn(message, 'Call-ID');

/** The INVITEs of calls, each once, although a slow machine repeats them, when the call is acknowledged. */
function callsAt(trunk: Peer): () => Promise<PeerMessage> {
  const seen = new Set<string>();
  return async () => {
    const invite = await trunk.next((message) => message.method === 'INVITE' && !seen.has(callIdOf(message)));
    seen.add(callIdOf(invite));
    await trunk.next((message) => message.method === 'ACK' && callIdOf(message) === callIdOf(invite));
    return invite;
  };
}

test('with all lines in use a campaign waits, a single call is refused, and why says so', async (t) => {
  const server = await aServerWithLines(t, 2);
  const trunk = await aTrunk(t);
  const { agent, number, campaign } = await aRunningCampaign(server, trunk, 3);
  const nextCall = callsAt(trunk);
  const first = await nextCall();
  await nextCall();
  await statsWhen(server, campaign.id, ({ inProgress }) => inProgress === 2);
  const refused = await server.post('/calls', { agent_id: agent.id, phone_number_id: number.id, to: aPhone() });
  assert.equal(refused.status, 409);
  assert.equal(refused.body.message, 'All 2 lines of the carrier sip are in use (sip.max_calls).');
  const waiting = dataOf(
    await server.get<Array<{ id: string; status: string }>>(`/campaigns/${campaign.id}/contacts?status=pending`),
  );
  assert.equal(waiting.length, 1);
  const why = dataOf(
    await server.get<{ reason_codes: string[] }>(`/campaigns/${campaign.id}/contacts/${waiting[0]!.id}/why`),
  );
  assert.deepEqual(why.reason_codes, ['carrier_lines_in_use']);
  trunk.request(first, 'BYE');
  await nextCall();
});

test('an organization that holds all lines does not keep another from the next one', async (t) => {
  const server = await aServerWithLines(t, 2);
  const [trunk, othersTrunk] = [await aTrunk(t), await aTrunk(t)];
  await aRunningCampaign(server, trunk, 20);
  const nextCall = callsAt(trunk);
  const first = await nextCall();
  await nextCall();
  await aRunningCampaign(await server.newOrganization(), othersTrunk, 1);
  let isCalled = false;
  const called = othersTrunk.next('INVITE').then((): true => (isCalled = true));
  // A line that ends is kept for it as soon as it has found none; until then the first organization may be faster.
  let ending = first;
  let ended = 0;
  while (!isCalled) {
    trunk.request(ending, 'BYE');
    ended += 1;
    const next = await Promise.race([called, nextCall()]);
    if (next !== true) ending = next;
  }
  assert.ok(ended < 19, `it got its line after ${ended} calls of the other`);
});
