import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import { anAgent, aNumber } from '../support/fixtures.ts';
import { type Answer, type Client, type Data, dataOf, type TestServer } from '../support/server.ts';

/** Shared by the tests of campaigns and calls: an organization that can call, and the wire shapes. */

export type Stats = Record<
  'total' | 'contacted' | 'successful' | 'failed' | 'noAnswer' | 'pending' | 'inProgress',
  number
>;

export type Campaign = Data & {
  name: string;
  agentId: string | null;
  phoneNumberId: string | null;
  fromPhoneNumber: string | null;
  status: string;
  executionStatus: string;
  schedule: Record<string, unknown>;
  contactStats: Stats;
  outboundMaxConcurrent: number;
  outboundMaxCps: number;
  startedAt: string | null;
  completedAt: string | null;
  updatedAt: string;
};

export type CampaignContact = {
  id: string;
  contact_id: string | null;
  name: string | null;
  phone: string;
  status: string;
  attempt_count: number;
  last_attempted_at: string | null;
  next_retry_at: string | null;
  call_duration_sec: number | null;
  error_message: string | null;
  call_session_id: string | null;
  tags: string[];
};

export type Call = Record<string, unknown> & {
  call_session_id: string;
  campaign_id: string | null;
  contact_id: string | null;
  phone: string;
  attempt: number;
  state: string;
  status: string | null;
  disconnect_reason: string | null;
  error_message: string | null;
  duration_sec: number;
  created_at: string;
  started_at: string | null;
  answered_at: string | null;
  ended_at: string | null;
  transcripts: unknown[];
  metadata: unknown;
};

export type AddedContacts = { added: number; skipped: Array<{ index?: number; contact_id?: string; reason: string }> };

/** An entry of `contacts[]`, or only its phone. */
export type NewContact = string | ({ phone?: string } & Record<string, unknown>);

/** An organization with an agent and a number, and the requests that tests make for it. */
export type CallingOrg = {
  client: Client;
  agentId: string;
  numberId: string;
  phone: string;
  /** Creates a draft campaign with this agent and number. */
  campaign(over?: object): Promise<Campaign>;
  add(campaignId: string, contacts: readonly NewContact[]): Promise<AddedContacts>;
  /** Creates a campaign with these contacts and starts it. */
  run(contacts: readonly NewContact[], over?: object): Promise<Campaign>;
  patch(campaignId: string, changes: object): Promise<Campaign>;
  read(campaignId: string): Promise<Campaign>;
  stats(campaignId: string): Promise<Stats>;
  contacts(campaignId: string, query?: string): Promise<CampaignContact[]>;
  /** All calls, oldest first. */
  calls(query?: string): Promise<Call[]>;
};

/** Creates an agent and a number for the client's organization. */
export async function createCallingOrg(
  client: Client,
  over: { agent?: object; number?: object } = {},
): Promise<CallingOrg> {
  const agent = await anAgent(client, over.agent);
  const number = await aNumber(client, over.number);
  const read = async (id: string): Promise<Campaign> => dataOf(await client.get<Campaign>(`/campaigns/${id}`));
  const campaign = async (settings: object = {}): Promise<Campaign> =>
    dataOf(
      await client.post<Campaign>('/campaigns/', {
        name: 'Spring',
        agentId: agent.id,
        phoneNumberId: number.id,
        ...settings,
      }),
    );
  const add = async (id: string, contacts: readonly NewContact[]): Promise<AddedContacts> => {
    const entries = contacts.map((contact) => (typeof contact === 'string' ? { phone: contact } : contact));
    const joined = dataOf(await client.post<AddedContacts & Data>(`/campaigns/${id}/contacts`, { contacts: entries }));
    await settle();
    return joined;
  };
  // Jobs that are due now run by themselves, but not before the response. Advancing by 0 ms waits for them.
  const settle = async (): Promise<void> => void dataOf(await client.post('/test-clock/advance', { ms: 0 }));
  const patch = async (id: string, changes: object): Promise<Campaign> => {
    const changed = dataOf(await client.patch<Campaign>(`/campaigns/${id}/`, changes));
    await settle();
    return changed;
  };
  return {
    client,
    agentId: agent.id,
    numberId: number.id,
    phone: number.phone,
    campaign,
    add,
    patch,
    read,
    async run(contacts, settings) {
      const { id } = await campaign(settings);
      await add(id, contacts);
      return patch(id, { status: 'active' });
    },
    stats: async (id) => (await read(id)).contactStats,
    contacts: async (id, query = '') =>
      dataOf(await client.get<CampaignContact[]>(`/campaigns/${id}/contacts?limit=500${query}`)),
    calls: async (query = '') => dataOf(await client.get<Call[]>(`/calls?limit=500${query}`)).toReversed(),
  };
}

/** A new organization with agent and number, on a server that tests share. */
export const newCallingOrg = async (
  server: TestServer,
  over: { agent?: object; number?: object } = {},
): Promise<CallingOrg> => createCallingOrg(await server.newOrganization(), over);

export const msOf = (iso: string | null): number => {
  if (iso === null) throw new Error('no instant');
  return Temporal.Instant.from(iso).epochMilliseconds;
};

export const isoAt = (ms: number): string =>
  Temporal.Instant.fromEpochMilliseconds(ms).toString({ fractionalSecondDigits: 3 });

/** The time of the test clock, in Unix milliseconds. */
export const nowOf = (server: TestServer): number => server.running.app.clock.now();

/** Advances the clock to an instant, which must not be in its past. */
export const advanceTo = (server: TestServer, iso: string): Promise<Record<string, number>> =>
  server.advance(msOf(iso) - nowOf(server));

/** Seconds from an instant to a timestamp. */
export const since = (startMs: number, iso: string | null): number => (msOf(iso) - startMs) / 1000;

/** Whether the counters add up (docs/api/campaigns.md, "Statistics"). */
export const isBalanced = (stats: Stats): boolean =>
  stats.total === stats.contacted + stats.failed + stats.noAnswer + stats.pending + stats.inProgress &&
  stats.successful <= stats.contacted &&
  Object.values(stats).every((count) => Number.isInteger(count) && count >= 0);

/** The message of a 409. */
export function conflictOf(answer: Answer<unknown>): string {
  if (answer.status !== 409 || answer.body.code !== 'CONFLICT') throw new Error(`not a conflict: ${answer.text}`);
  return answer.body.message;
}

export type CallEvent = { event: string; org_id: string; data: Call };

/** A webhook receiver on loopback that accepts every event and records them in order of arrival. */
export async function aReceiver(t: TestContext): Promise<{ url: string; events: CallEvent[]; ids: string[] }> {
  const events: CallEvent[] = [];
  /** The header `webhook-id` of each. */
  const ids: string[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      ids.push(String(request.headers['webhook-id']));
      events.push(JSON.parse(Buffer.concat(chunks).toString()) as CallEvent);
      response.end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`, events, ids };
}
