import type { CarrierDriver } from '../../src/features/calls/carriers/driver.ts';
import { dataOf, type Client, type RequestOptions, startTestServer, type TestServer } from './server.ts';
import { type FakeCal, type FakeEventType, type FakeUser, startFakeCal } from './fake-cal.ts';

/** The provider's time-out: longer than the fake takes to answer, and short enough for tests to wait it out. */
export const timeoutMs = 1500;

export type CalendarSetup = { server: TestServer; fake: FakeCal; stop(): Promise<void> };

/** A whole server with its own fake Cal.com. */
export async function startCalendar(
  options: { settings?: Record<string, string>; data?: string; carrierDrivers?: readonly CarrierDriver[] } = {},
): Promise<CalendarSetup> {
  const fake = await startFakeCal();
  const settings = { 'calendar.base_url': fake.url, 'calendar.timeout_ms': String(timeoutMs), ...options.settings };
  const server = await startTestServer({ ...options, settings });
  return {
    server,
    fake,
    async stop() {
      await server.stop();
      await fake.close();
    },
  };
}

let made = 0;

export const anEventType = (over: Partial<FakeEventType> = {}): FakeEventType => ({
  id: 1000 + made++,
  slug: `intro-${made}`,
  title: 'Introduction',
  description: 'Half an hour to get to know each other',
  lengthInMinutes: 30,
  price: 0,
  currency: 'usd',
  hidden: false,
  free: [],
  ...over,
});

/** Creates a user at the fake provider and returns its API key. */
export function aKey(fake: FakeCal, user: Partial<FakeUser> = {}): string {
  const key = `cal_live_${String(made++).padStart(32, '0')}`;
  fake.users.set(key, {
    id: made,
    name: 'Ada Lovelace',
    username: 'ada',
    email: 'ada@example.com',
    eventTypes: [],
    ...user,
  });
  return key;
}

/** Request options with a fresh access token of the client. */
export async function bearer(client: Client): Promise<RequestOptions> {
  const { access_token: token } = dataOf(await client.post<{ access_token: string }>('/auth/token'));
  return { key: null, headers: { authorization: `Bearer ${token}` } };
}

export type Connection = {
  provider_id: string;
  org_id: string;
  account_name: string;
  status: string;
  connected_at: string;
};

export const connect = (client: Client, body: Record<string, unknown>) =>
  client.post<Connection>('/calendar/connect', { org_id: client.orgId, ...body });

/** Connects an account and returns its id. */
export const anAccount = async (client: Client, apiKey: string, over: object = {}): Promise<string> =>
  dataOf(await connect(client, { api_key: apiKey, ...over })).provider_id;

export const disconnect = async (client: Client, body: object = {}) =>
  client.post('/calendar/disconnect', { org_id: client.orgId, ...body }, await bearer(client));

type Account = { id: string; account_name: string; status: string; error: string | null };
export type Status = { connected: boolean; status: string; accounts: Account[] };

export const statusOf = async (client: Client, agentId?: string) => {
  const path = agentId === undefined ? `status?org_id=${client.orgId}` : `agents/${agentId}/status`;
  return client.get<Status>(`/calendar/${path}`, await bearer(client));
};

export const accountsOf = async (client: Client, agentId?: string): Promise<Account[]> =>
  dataOf(await statusOf(client, agentId)).accounts;

export type EventType = Record<string, unknown> & { id: string; calendar_account_id: string };

export const lookUp = async (client: Client, platformId: string | number) =>
  client.get<EventType>(
    `/calendar/event-types/lookup/${encodeURIComponent(platformId)}?org_id=${client.orgId}`,
    await bearer(client),
  );
