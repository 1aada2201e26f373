import assert from 'node:assert/strict';
import { after, suite, type TestContext, test } from 'node:test';
import { pause } from '../../src/base/clock.ts';
import { onConnection } from '../../src/db/transaction.ts';
import { aCampaign, aContact, anAgent, aNumber } from '../support/fixtures.ts';
import { type Data, dataOf, startTestServer, type TestServer } from '../support/server.ts';
import { audioOf, headerIn, type Peer, type PeerMessage, startPeer } from '../support/sip/peer.ts';
import { startNames } from '../support/sip/names.ts';
import { sipSettings } from '../support/sip/server.ts';

/** Every change that forbids calls, at every moment between the hand-over of an attempt and its ring: no INVITE follows the answer. */

type Transport = 'udp' | 'tcp';
type Cell = {
  server: TestServer;
  peer: Peer;
  /** The target behind the peer's, of a trunk with a name. */
  next?: Peer;
  agentId: string;
  campaignId: string;
  contactId: string;
  phone: string;
};
type Deed = { becomes: string; act(cell: Cell): Promise<{ status: number }> };

const deeds: Record<string, Deed> = {
  'opt-out': {
    becomes: 'cancelled',
    act: ({ server, contactId }) => server.patch(`/contacts/${contactId}`, { do_not_call: true }),
  },
  'opt-out by name': {
    becomes: 'cancelled',
    act: ({ server, contactId }) => server.put(`/contacts/${contactId}/do-not-call`, { reason: 'Asked us to.' }),
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

/** What is refused while a call is under way; it withdraws nothing. */
const refused: Record<string, Deed['act']> = {
  'the deletion of the contact': ({ server, contactId }) => server.del(`/contacts/${contactId}`),
  'its removal from the campaign': ({ server, campaignId, contactId }) =>
    server.del(`/campaigns/${campaignId}/contacts/${contactId}`),
  'the deletion of the campaign': ({ server, campaignId }) => server.del(`/campaigns/${campaignId}`),
  'the deletion of the agent': ({ server, agentId }) => server.del(`/agents/${agentId}`),
};

/** A trunk that answers CANCEL alone. */
async function aTrunk(t: TestContext, transport: Transport): Promise<Peer> {
  const peer = await startPeer(
    (own, request) => {
      if (request.method !== 'CANCEL') return;
      own.answer(request, { status: 200, reason: 'OK' });
      const invite = own.received.findLast(({ method }) => method === 'INVITE')!;
      own.answer(invite, { status: 487, reason: 'Request Terminated' });
    },
    { transport },
  );
  t.after(() => peer.close());
  return peer;
}

type Trunk = { transport?: Transport; uriOf?: (peers: readonly Peer[]) => string };

/** A campaign that is not active yet. */
async function prepare(t: TestContext, server: TestServer, { transport = 'udp', uriOf }: Trunk = {}): Promise<Cell> {
  const [peer, next] = [await aTrunk(t, transport), uriOf && (await aTrunk(t, transport))];
  const agent = await anAgent(server);
  const trunk = {
    termination_uri: uriOf ? uriOf([peer, next!]) : peer.uri,
    transport,
    sip_username: 'us',
    sip_password: 'secret',
  };
  const number = await aNumber(server, trunk);
  const contact = await aContact(server);
  const campaign = await aCampaign(server, { agentId: agent.id, phoneNumberId: number.id });
  const one = { contact_ids: [contact.id] };
  assert.equal((await server.post(`/campaigns/${campaign.id}/contacts`, one)).status, 200);
  const found = { agentId: agent.id, campaignId: campaign.id, contactId: contact.id, phone: contact.phone! };
  return { server, peer, ...(next ? { next } : {}), ...found };
}

async function activate({ server, campaignId }: Cell): Promise<void> {
  assert.equal((await server.patch(`/campaigns/${campaignId}`, { status: 'active' })).status, 200);
}

async function begin(t: TestContext, server: TestServer, trunk: Trunk = {}): Promise<Cell & { invite: PeerMessage }> {
  const cell = await prepare(t, server, trunk);
  await activate(cell);
  return { ...cell, invite: await cell.peer.next('INVITE') };
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

async function nothingMoreLeaves(cell: Cell, invites: number): Promise<void> {
  await pause(1200);
  assert.equal(sent(cell.peer, 'INVITE'), invites);
  assert.deepEqual(cell.next?.received ?? [], []);
  assert.ok(sent(cell.peer, 'CANCEL') <= 1);
}

/** Tries what is refused while a call is under way. Returns the id of the call. */
async function refusedMeanwhile(cell: Cell): Promise<string> {
  for (const [what, attempt] of Object.entries(refused)) assert.equal((await attempt(cell)).status, 409, what);
  return (await contactOf(cell))['call_session_id'] as string;
}

type Undone = { becomes: string; invites: number; callId: string };

async function isUndone(cell: Cell, { becomes, invites, callId }: Undone): Promise<void> {
  const contact = await settled(cell);
  await nothingMoreLeaves(cell, invites);
  assert.deepEqual([contact['status'], contact['attempt_count']], [becomes, 0]);
  assert.equal((await cell.server.get(`/calls/${callId}`)).status, 404);
}

suite('no INVITE leaves after a change that forbids the call is acknowledged', { concurrency: 8 }, async () => {
  const names = await startNames();
  const server = await startTestServer({ testClock: false, settings: await sipSettings() });
  const transports = ['udp', 'tcp'] as const;
  after(() => server.stop());
  after(() => names.close());

  test('a trunk with a name is called at its first target, and then at the next one', async (t) => {
    const cell = await begin(t, server, { uriOf: (peers) => names.name(peers.map(({ port }) => port)) });
    cell.peer.answer(cell.invite, { status: 503 });
    const invite = await cell.next!.next('INVITE');
    cell.next!.answer(invite, { status: 486 });
    assert.equal((await settled(cell))['status'], 'busy');
  });

  for (const transport of transports) {
    for (const [deed, { act, becomes }] of Object.entries(deeds)) {
      for (const [name, moment] of Object.entries(moments)) {
        test(`${deed}, ${name}, over ${transport}`, async (t) => {
          const cell = await begin(t, server, { transport });
          moment.before(cell.peer, cell.invite);
          const callId = await refusedMeanwhile(cell);
          assert.equal((await act(cell)).status, 200);
          const invites = sent(cell.peer, 'INVITE');
          moment.after(cell.peer, cell.invite);
          await isUndone(cell, { becomes, invites, callId });
        });
      }
      test(`${deed}, the next target, over ${transport}`, async (t) => {
        const uriOf = (peers: readonly Peer[]): string => names.name(peers.map(({ port }) => port));
        const cell = await begin(t, server, { transport, uriOf });
        cell.peer.answer(cell.invite, trying);
        const callId = await refusedMeanwhile(cell);
        assert.equal((await act(cell)).status, 200);
        cell.peer.answer(cell.invite, { status: 503 });
        await isUndone(cell, { becomes, invites: 1, callId });
      });
      test(`${deed}, DNS, over ${transport}`, async (t) => {
        let name = '';
        const uriOf = (peers: readonly Peer[]): string =>
          (name = names.name(
            peers.map(({ port }) => port),
            { held: true },
          ));
        const cell = await prepare(t, server, { transport, uriOf });
        await activate(cell);
        await names.asked(name);
        const callId = await refusedMeanwhile(cell);
        assert.equal((await act(cell)).status, 200);
        names.release(name);
        await isUndone(cell, { becomes, invites: 0, callId });
      });
    }
  }
});

/** Runs `act` before the transaction with this number, counted from now; its own transactions do not count. */
function beforeTransaction({ server }: Cell, number: number, act: () => Promise<void>): Promise<boolean> {
  return onConnection(server.running.app.db, (connection) => {
    const { withWriteLock } = connection;
    const acted = Promise.withResolvers<boolean>();
    let count = 0;
    connection.withWriteLock = async (scope, work) => {
      count += 1;
      if (count === number) {
        connection.withWriteLock = withWriteLock;
        await act().then(() => acted.resolve(true), acted.reject);
      }
      return withWriteLock(scope, work);
    };
    const giveUp = pause(2000).then(() => {
      if (count >= number) return acted.promise;
      connection.withWriteLock = withWriteLock;
      return false;
    });
    return { acted: Promise.race([acted.promise, giveUp]) };
  }).then(({ acted }) => acted);
}

/** The transactions of an attempt: the first is that of the activation, then come the tick, the claim, the last look and the carrier's report. */
suite('no INVITE leaves after a change that comes before one of the transactions of the attempt', async () => {
  const server = await startTestServer({ testClock: false, settings: await sipSettings() });
  after(() => server.stop());
  const seen = new Set<string>();
  for (const [deed, { act, becomes }] of Object.entries(deeds)) {
    for (let number = 2; number <= 6; number += 1) {
      test(`${deed}, before transaction ${number}`, async (t) => {
        const cell = await prepare(t, server);
        let invites = 0;
        const acting = beforeTransaction(cell, number, async () => {
          const [call] = dataOf(await server.get<Data[]>(`/calls?campaign_id=${cell.campaignId}`));
          assert.equal((await act(cell)).status, 200);
          invites = sent(cell.peer, 'INVITE');
          seen.add(`${(call?.['state'] as string | undefined) ?? 'no call'}, ${invites} INVITE`);
        });
        await activate(cell);
        if (!(await acting)) {
          assert.equal((await act(cell)).status, 200);
          invites = sent(cell.peer, 'INVITE');
        }
        const contact = await settled(cell);
        await nothingMoreLeaves(cell, invites);
        assert.deepEqual([contact['status'], contact['attempt_count']], [becomes, 0]);
        assert.deepEqual(dataOf(await server.get<Data[]>(`/calls?campaign_id=${cell.campaignId}`)), []);
      });
    }
  }
  test('the changes came before the call, before its INVITE and after it', () =>
    assert.deepEqual([...seen].toSorted(), ['dialing, 0 INVITE', 'dialing, 1 INVITE', 'no call, 0 INVITE']));
});

test('a late challenge to an INVITE that was taken back is not answered, and a person who may be called again is called anew', async (t) => {
  const server = await startTestServer({ testClock: false, settings: await sipSettings() });
  t.after(() => server.stop());
  const cell = await begin(t, server);
  const callId = (await contactOf(cell))['call_session_id'] as string;
  assert.equal((await server.post('/do-not-call', { phone: cell.phone })).status, 200);
  assert.equal((await server.del(`/do-not-call/${encodeURIComponent(cell.phone)}`)).status, 200);
  assert.equal(sent(cell.peer, 'INVITE'), 1);
  cell.peer.answer(cell.invite, { status: 407, headers: challenge });
  const anew = await cell.peer.next('INVITE');
  assert.notEqual(headerIn(anew, 'Call-ID'), headerIn(cell.invite, 'Call-ID'));
  assert.equal(headerIn(anew, 'Proxy-Authorization'), '');
  cell.peer.answer(anew, { status: 486, reason: 'Busy Here' });
  const contact = await settled(cell);
  assert.deepEqual([contact['status'], contact['attempt_count']], ['busy', 1]);
  assert.equal((await server.get(`/calls/${callId}`)).status, 404);
  assert.deepEqual([sent(cell.peer, 'INVITE'), sent(cell.peer, 'CANCEL')], [2, 0]);
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

for (const [deed, { act }] of Object.entries(deeds)) {
  test(`a call that rings goes on after ${deed}`, async (t) => {
    const server = await startTestServer({ testClock: false, settings: await sipSettings() });
    t.after(() => server.stop());
    const cell = await begin(t, server);
    cell.peer.answer(cell.invite, { status: 180, reason: 'Ringing' });
    const callId = (await contactOf(cell))['call_session_id'] as string;
    while (dataOf(await server.get(`/calls/${callId}`))['state'] !== 'ringing') await pause(20);
    for (const [what, attempt] of Object.entries(refused)) assert.equal((await attempt(cell)).status, 409, what);
    assert.equal((await act(cell)).status, 200);
    cell.peer.answer(cell.invite, { status: 486, reason: 'Busy Here' });
    assert.equal((await settled(cell))['status'], 'busy');
    assert.equal(sent(cell.peer, 'CANCEL'), 0);
    assert.equal(sent(cell.peer, 'INVITE'), 1);
  });
}
