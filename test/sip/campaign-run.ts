import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { pause } from '../../src/base/clock.ts';
import { aCampaign, anAgent, aNumber, aPhone } from '../support/fixtures.ts';
import { type Data, dataOf, type Requests } from '../support/server.ts';
import { proxyCredentials, startKamailio } from '../support/sip/kamailio.ts';
import { freePorts } from '../support/sip/program.ts';
import { type SipCall } from '../support/sip/server.ts';
import { startSipp } from '../support/sip/sipp.ts';
import { aReceiver, type CampaignContact, type Stats } from '../http/calling-support.ts';

/** A campaign through kamailio to phones of mixed behaviour, and everything that must be exact when it is over. */

export type CampaignRun = {
  contacts: number;
  concurrent: number;
  /** How long a phone that answers talks. */
  talkMs: readonly [min: number, max: number];
  /** The proxy stands still for so long when a third of the contacts is done; 0: never. */
  stopMs: number;
};

/** The outcome of a contact, by the last two digits of its phone (scenarios/phones.xml). */
const behaviours = {
  '00': { status: 'completed', error: null, timeline: ['invite', 'ringing', 'answered', 'greeting', 'hangup'] },
  '86': { status: 'busy', error: 'SIP 486 Busy Here', timeline: ['invite', 'ringing', 'hangup'] },
  '80': { status: 'no_answer', error: 'SIP 480 Temporarily Unavailable', timeline: ['invite', 'ringing', 'hangup'] },
  '03': { status: 'busy', error: 'SIP 603 Decline', timeline: ['invite', 'ringing', 'hangup'] },
  '04': { status: 'failed', error: 'SIP 404 Not Found', timeline: ['invite', 'ringing', 'hangup'] },
  '20': {
    status: 'no_answer',
    error: 'Not answered in time (sip.ring_timeout_ms).',
    timeline: ['invite', 'ringing', 'hangup'],
  },
} as const;
type Ending = keyof typeof behaviours;

/** Of ten phones in a row. */
const mix: readonly Ending[] = ['00', '86', '00', '80', '00', '04', '00', '20', '00', '03'];

const behaviourOf = (phone: string) => behaviours[phone.slice(-2) as Ending];

/** Settings that a server needs besides those of every test of telephony. */
export const campaignSettings = { 'sip.ring_timeout_ms': '10000' };

/** Runs a campaign on a server with the carrier `sip`, in this process or in another. */
export async function runCampaign(t: TestContext, server: Requests, run: CampaignRun): Promise<void> {
  const receiver = await aReceiver(t);
  const agent = await anAgent(server, { webhook_url: receiver.url });
  const [talkMin, talkMax] = run.talkMs;
  const phones = await startSipp(t, 'phones', {
    // While the proxy stands still, calls that were given up may reach the phones later.
    calls: run.stopMs === 0 ? run.contacts : run.contacts * 10,
    keys: { talk_min: String(talkMin), talk_max: String(talkMax) },
  });
  const proxyPort = await freePorts(2);
  const proxy = await startKamailio(t, phones.port, proxyPort);
  const number = await aNumber(server, { termination_uri: proxy.uri, ...proxyCredentials, transport: 'udp' });
  await server.patch(`/phone-numbers/${number.id}`, { max_concurrent: run.concurrent, max_cps: 50 });
  const campaign = await aCampaign(server, {
    agentId: agent.id,
    phoneNumberId: number.id,
    maxCps: 50,
    schedule: { maxConcurrent: run.concurrent },
  });
  const contacts = Array.from({ length: run.contacts }, (_, at) => ({ phone: aPhone(mix[at % mix.length]) }));
  for (let at = 0; at < contacts.length; at += 100) {
    dataOf(await server.post(`/campaigns/${campaign.id}/contacts`, { contacts: contacts.slice(at, at + 100) }));
  }
  dataOf(await server.patch(`/campaigns/${campaign.id}`, { status: 'active' }));
  /** Phones whose call was under way when the proxy stopped: what becomes of it depends on what was lost. */
  const caught = new Set<string>();
  if (run.stopMs > 0) {
    await statsWhen(server, campaign.id, ({ pending }) => pending <= (run.contacts * 2) / 3);
    await proxy.standStill(run.stopMs, async () => {
      for (const { phone } of await allOf<{ phone: string }>(server, '/calls?state=live')) caught.add(phone);
    });
  }
  const stats = await statsWhen(server, campaign.id, ({ pending, inProgress }) => pending + inProgress === 0);
  if (run.stopMs === 0) await phones.succeeded();

  assert.ok(caught.size <= run.concurrent);

  const listed = await allOf<CampaignContact>(server, `/campaigns/${campaign.id}/contacts?`);
  assertContacts(listed, run, caught);
  assert.deepEqual(stats, statsOf(listed));
  const calls = await allOf<SipCall & { phone: string }>(server, `/calls?campaign_id=${campaign.id}`);
  assert.equal(calls.length, run.contacts, 'one attempt for each contact');
  for (const call of calls) if (!caught.has(call.phone)) await assertCall(server, call);
  await assertEvents(receiver.events, calls);
}

function assertContacts(listed: readonly CampaignContact[], run: CampaignRun, caught: ReadonlySet<string>): void {
  assert.equal(listed.length, run.contacts);
  for (const { phone, status, attempt_count: attempts, error_message: error } of listed) {
    assert.equal(attempts, 1);
    const expected = behaviourOf(phone);
    if (!caught.has(phone)) assert.deepEqual([phone, status, error], [phone, expected.status, expected.error]);
  }
}

function statsOf(listed: readonly CampaignContact[]): Stats {
  const count = (...statuses: string[]): number => listed.filter(({ status }) => statuses.includes(status)).length;
  const completed = count('completed');
  return {
    total: listed.length,
    contacted: completed,
    successful: completed,
    failed: count('failed'),
    noAnswer: count('no_answer', 'busy'),
    pending: 0,
    inProgress: 0,
  };
}

async function assertCall(server: Requests, call: SipCall & { phone: string }): Promise<void> {
  const expected = behaviourOf(call.phone);
  const { status, error_message: error, state } = call;
  assert.deepEqual([call.phone, state, status, error], [call.phone, 'ended', expected.status, expected.error]);
  type Entry = Data & { at: string; type: string };
  const entries = dataOf(await server.get<Entry[]>(`/calls/${call.call_id}/timeline`));
  assert.deepEqual([call.phone, ...entries.map(({ type }) => type)], [call.phone, ...expected.timeline]);
  const times = entries.map(({ at }) => Date.parse(at));
  assert.deepEqual(
    times,
    times.toSorted((a, b) => a - b),
  );
}

/** Every call has exactly one event of its end, with its outcome. */
async function assertEvents(
  events: ReadonlyArray<{ event: string; data: { call_session_id: string; status: string | null } }>,
  calls: readonly SipCall[],
): Promise<void> {
  while (events.length < calls.length) await pause(20);
  const told = events.map(({ event, data }) => `${event} ${data.call_session_id} ${data.status}`);
  const expected = calls.map(({ call_id: id, status }) => `call.completed ${id} ${status}`);
  assert.deepEqual(told.toSorted(), expected.toSorted());
}

async function statsWhen(server: Requests, id: string, isReached: (stats: Stats) => boolean): Promise<Stats> {
  for (;;) {
    const { contactStats } = dataOf(await server.get<{ contactStats: Stats }>(`/campaigns/${id}`));
    if (isReached(contactStats)) return contactStats;
    await pause(100);
  }
}

async function allOf<T>(server: Requests, path: string): Promise<T[]> {
  const items: T[] = [];
  for (;;) {
    const page = dataOf(await server.get<T[]>(`${path}&limit=100&offset=${items.length}`));
    items.push(...page);
    if (page.length < 100) return items;
  }
}
