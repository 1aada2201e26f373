import assert from 'node:assert/strict';
import { suite, type TestContext, test } from 'node:test';
import { pause } from '../../src/base/clock.ts';
import { aCampaign, aContact, anAgent, aNumber } from '../support/fixtures.ts';
import { type Data, dataOf, startTestServer, type TestServer } from '../support/server.ts';
import { audioOf, type Peer, type PeerMessage, startPeer } from '../support/sip/peer.ts';
import { sipSettings } from '../support/sip/server.ts';

/** Every change that forbids calls, at every moment between the hand-over of an attempt and its ring: no INVITE follows the answer. */

type Cell = { server: TestServer; peer: Peer; agentId: string; campaignId: string; contactId: string; phone: string };
type Deed = { becomes: string; act(cell: Cell): Promise<{ status: number }> };

const deeds: Record<string, Deed> = {
  'opt-out': {
    becomes: 'cancelled',
    act: ({ server, contactId }) => server.patch(`/contacts/${contactId}`, { do_not_call: true }),
  },
  'do-not-call': {
    becomes: 'cancelled',
    act: ({ server, phone }) => server.post('/do-not-call', { phone }),
  },
  pause: {
    becomes: 'pending',
    act: ({ server, campaignId }) => server.patch(`/campaigns/${campaignId}`, { status: 'paused' }),
  },
  complete: {
    becomes: 'expired',
    act: ({ server, campaignId }) => server.patch(`/campaigns/${campaignId}`, { status: 'completed' }),
  },
  INACTIVE: {
    becomes: 'pending',
    act: ({ server, agentId }) => server.put(`/agents/${agentId}`, { status: 'INACTIVE' }),
  },
};

const challenge = [['Proxy-Authenticate', 'Digest realm="trunk", nonce="n", algorithm=MD5, qop="auth"']] as const;

/** What the trunk does before the change, and after its acknowledgement. */
type Moment = { before(peer: Peer, invite: PeerMessage): void; after(peer: Peer, invite: PeerMessage): void };
const moments: Record<string, Moment> = {
  'the first INVITE': { before: () => undefined, after: (peer, invite) => peer.answer(invite, trying) },
  lost: { before: () => undefined, after: () => undefined },
  '100': { before: (peer, invite) => peer.answer(invite, trying), after: () => undefined },
  '407': {
    before: () => undefined,
    after: (peer, invite) => peer.answer(invite, { status: 407, headers: challenge }),
  },
  '422': {
    before: () => undefined,
    after: (peer, invite) => peer.answer(invite, { status: 422, headers: [['Min-SE', '3600']] }),
  },
  '503': {
    before: (peer, invite) => peer.answer(invite, trying),
    after: (peer, invite) => peer.answer(invite, { status: 503 }),
  },
};
const trying = { status: 100, reason: 'Trying', tag: null } as const;

async function begin(t: TestContext, server: TestServer): Promise<Cell & { invite: PeerMessage }> {
  const peer = await startPeer((own, request) => {
    if (request.method !== 'CANCEL') return;
    own.answer(request, { status: 200, reason: 'OK' });
    const invite = own.received.findLast(({ method }) => method === 'INVITE')!;
    own.answer(invite, { status: 487, reason: 'Request Terminated' });
  });
  t.after(() => peer.close());
  const agent = await anAgent(server);
  const credentials = { sip_username: 'us', sip_password: 'secret' };
  const number = await aNumber(server, { termination_uri: peer.uri, ...credentials });
  const contact = await aContact(server);
  const campaign = await aCampaign(server, { agentId: agent.id, phoneNumberId: number.id });
  const one = { contact_ids: [contact.id] };
  assert.equal((await server.post(`/campaigns/${campaign.id}/contacts`, one)).status, 200);
  assert.equal((await server.patch(`/campaigns/${campaign.id}`, { status: 'active' })).status, 200);
  const invite = await peer.next('INVITE');
  const ids = { agentId: agent.id, campaignId: campaign.id, contactId: contact.id, phone: contact.phone! };
  return { server, peer, ...ids, invite };
}

const contactOf = async ({ server, campaignId }: Cell): Promise<Data> =>
  dataOf(await server.get<Data[]>(`/campaigns/${campaignId}/contacts`))[0]!;

async function settled(cell: Cell): Promise<Data> {
  for (;;) {
    const contact = await contactOf(cell);
    if (contact['status'] !== 'in_progress') return contact;
    await pause(50);
  }
}

const sent = ({ received }: Peer, wanted: string): number => received.filter(({ method }) => method === wanted).length;

suite('no INVITE leaves after a change that forbids the call is acknowledged', { concurrency: 8 }, async () => {
  const server = await startTestServer({ testClock: false, settings: await sipSettings() });
  let open = Object.keys(deeds).length * Object.keys(moments).length;
  for (const [deed, { act, becomes }] of Object.entries(deeds)) {
    for (const [name, { before, after }] of Object.entries(moments)) {
      test(`${deed}, ${name}`, async (t) => {
        t.after(async () => {
          open -= 1;
          if (open === 0) await server.stop();
        });
        const cell = await begin(t, server);
        before(cell.peer, cell.invite);
        const callId = (await contactOf(cell))['call_session_id'] as string;
        assert.equal((await act(cell)).status, 200);
        const invites = sent(cell.peer, 'INVITE');
        after(cell.peer, cell.invite);
        const contact = await settled(cell);
        await pause(1200);
        assert.equal(sent(cell.peer, 'INVITE'), invites);
        assert.ok(sent(cell.peer, 'CANCEL') <= 1);
        assert.deepEqual([contact['status'], contact['attempt_count']], [becomes, 0]);
        assert.equal((await server.get(`/calls/${callId}`)).status, 404);
      });
    }
  }
});

test('a ring that crosses the CANCEL counts as no answer', async (t) => {
  const server = await startTestServer({ testClock: false, settings: await sipSettings() });
  t.after(() => server.stop());
  const cell = await begin(t, server);
  assert.equal((await deeds['pause']!.act(cell)).status, 200);
  cell.peer.answer(cell.invite, { status: 180, reason: 'Ringing' });
  const contact = await settled(cell);
  assert.deepEqual([contact['status'], contact['attempt_count']], ['no_answer', 1]);
  assert.equal(sent(cell.peer, 'CANCEL'), 1);
});

test('an answer that crosses the CANCEL gets ACK and BYE, and counts as no answer', async (t) => {
  const server = await startTestServer({ testClock: false, settings: await sipSettings() });
  t.after(() => server.stop());
  const cell = await begin(t, server);
  assert.equal((await deeds['pause']!.act(cell)).status, 200);
  cell.peer.answer(cell.invite, { status: 200, reason: 'OK', body: audioOf(40_000) });
  const bye = await cell.peer.next('BYE');
  cell.peer.answer(bye, { status: 200 });
  assert.equal((await settled(cell))['status'], 'no_answer');
  assert.equal(sent(cell.peer, 'CANCEL'), 0);
});

test('a call that rings goes on when its campaign is paused', async (t) => {
  const server = await startTestServer({ testClock: false, settings: await sipSettings() });
  t.after(() => server.stop());
  const cell = await begin(t, server);
  cell.peer.answer(cell.invite, { status: 180, reason: 'Ringing' });
  const callId = (await contactOf(cell))['call_session_id'] as string;
  while (dataOf(await server.get(`/calls/${callId}`))['state'] !== 'ringing') await pause(20);
  assert.equal((await deeds['pause']!.act(cell)).status, 200);
  cell.peer.answer(cell.invite, { status: 486, reason: 'Busy Here' });
  assert.equal((await settled(cell))['status'], 'busy');
  assert.equal(sent(cell.peer, 'CANCEL'), 0);
});
